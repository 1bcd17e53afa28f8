import type { Evidence, RunEvidence } from './evidence';

/** The six properties of a durable engine, by their names in the literature. */
export const PROPERTIES = ['prefix', 'effects', 'fork', 'checkpoints', 'consume-once', 'recovery'] as const;
export type Property = (typeof PROPERTIES)[number];

export interface Verdict {
  readonly property: Property;
  /** What speaks against it; empty when it holds. */
  readonly faults: readonly string[];
  /** Single facts that were compared. */
  readonly looked: number;
  readonly durationMs: number;
}

/** Holds what was seen against what is promised. */
export function judge({ undisturbed, disturbed, fork, crowd }: Evidence): readonly Verdict[] {
  const runs = [...disturbed, crowd.run];
  const tookMs = disturbed.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const over = (faultsOf: (run: RunEvidence) => readonly string[]) =>
    runs.flatMap((run) => faultsOf(run).map((fault) => `${nameOf(run)}: ${fault}`));
  const unreached = disturbed.filter(({ stops }) => stops !== 1).map((run) => `${nameOf(run)}: no worker was ended`);
  return [
    {
      property: 'prefix',
      faults: [...unreached, ...over(changedPrefix)],
      looked: runs.reduce((sum, { finishedBefore }) => sum + finishedBefore.length, 0),
      durationMs: tookMs,
    },
    {
      property: 'effects',
      faults: over((run) => wrongEffects(run, undisturbed)),
      looked: runs.reduce((sum, { effects }) => sum + effects.done, 0),
      durationMs: tookMs,
    },
    {
      property: 'fork',
      faults: [
        ...(fork.parentBefore === fork.parentAfter ? [] : ['the parent was changed']),
        ...(fork.report === fork.parentReport ? [] : ['the fork came to another report']),
        ...(fork.requests === 0 ? [] : [`the fork asked ${String(fork.requests)} times for what was known`]),
      ],
      looked: 3,
      durationMs: fork.durationMs,
    },
    {
      property: 'checkpoints',
      faults: over(({ wrongCheckpoints }) =>
        wrongCheckpoints.map((seq) => `checkpoint ${String(seq)} is not what was`),
      ),
      looked: runs.reduce((sum, { checkpoints }) => sum + checkpoints, 0),
      durationMs: tookMs,
    },
    {
      property: 'consume-once',
      faults: [
        ...(crowd.owners === 1 ? [] : [`${String(crowd.owners)} of ${String(crowd.workers)} workers took the task`]),
        ...over(({ repeated }) => (repeated > 0 ? [`${String(repeated)} finished files were asked about again`] : [])),
        ...over(({ requests }) =>
          requests === undisturbed.requests
            ? []
            : [`${String(requests)} answers instead of ${String(undisturbed.requests)}`],
        ),
      ],
      looked: crowd.workers + runs.length * 2,
      durationMs: crowd.durationMs,
    },
    {
      property: 'recovery',
      faults: over(({ report }) => (report === undisturbed.report ? [] : ['it came to another report'])),
      looked: runs.length,
      durationMs: tookMs,
    },
  ];
}

function changedPrefix({ finishedBefore, finishedAfter }: RunEvidence): readonly string[] {
  const after = new Map(finishedAfter.map((step) => [step.key, step]));
  return finishedBefore
    .filter(({ key, seq, resultKey }) => after.get(key)?.seq !== seq || after.get(key)?.resultKey !== resultKey)
    .map(({ key }) => `${key} was finished, and was made again`);
}

function wrongEffects({ written, effects }: RunEvidence, undisturbed: RunEvidence): readonly string[] {
  const expected = Object.entries(undisturbed.written);
  return [
    ...expected
      .filter(([path, text]) => withoutTimes(written[path]) !== withoutTimes(text))
      .map(([path]) => `${path} is not as it should be`),
    ...Object.keys(written)
      .filter((path) => !(path in undisturbed.written))
      .map((path) => `${path} should not be there`),
    ...(effects.done === undisturbed.effects.done ? [] : [`${String(effects.done)} effects were carried out`]),
    ...(effects.intended + effects.in_doubt + effects.contested + effects.approved > 0
      ? ['an effect was left open']
      : []),
  ];
}

/** Seconds taken and when it was, at the end of each row of the table: the only things that differ from run to run. */
const TIMES = /,\d+\.\d,([^,\r\n]*(?:,(?:yes|no))+),[^,\r\n]*\r\n/g;

function withoutTimes(text: string | undefined): string | undefined {
  return text?.replace(TIMES, ',,$1,\r\n');
}

function nameOf({ point }: RunEvidence): string {
  return point ?? 'eight workers';
}
