import type { ActivityKind, NewActivity } from '../../core/activity';
import { placeOf, type EffectAnswer, type EffectQuestion, type EffectRow } from '../../core/effect';
import { allOk, ok, type Result } from '../../core/result';
import type { OwnedTask } from '../owned-task';

/** What the person said of effects that waited for them. */
export interface EffectAnswers {
  readonly questions: readonly EffectQuestion[];
  readonly answer: EffectAnswer;
}

const LINES: Readonly<Record<EffectAnswer, ActivityKind>> = {
  overwrite: 'effect_overwritten',
  keep: 'effect_kept',
  sent: 'effect_sent',
  again: 'effect_again',
  skip: 'effect_skipped',
};

/**
 * Saves what the person said, and that the output of a finished task is due again. An answer to what does not wait any
 * more changes nothing, nor does one to an earlier question: the later one stays asked. Resolves to how many effects it settled.
 */
export async function answerEffects(owned: OwnedTask, { questions, answer }: EffectAnswers): Promise<Result<number>> {
  const { ports, row: task } = owned;
  const found = allOk(await Promise.all(questions.map(({ key }) => ports.store.effect(task.id, key))));
  if (!found.ok) return found;
  const nowMs = ports.clock.now();
  const effects = found.value.flatMap((row, index) => {
    const next = row?.seq === questions[index]?.seq && row && answered(row, answer, nowMs);
    return next ? [next] : [];
  });
  if (effects[0] === undefined) return ok(0);
  const details: NewActivity['details'] = {
    path: placeOf(effects[0]),
    ...(effects[1] ? { count: effects.length } : {}),
  };
  await owned.submit({
    effects,
    task: task.output === 'waiting' && task.status === 'completed' ? { output: 'due' } : {},
    activity: [{ what: LINES[answer], details, failure: null }],
    durability: 'strict',
  });
  return ok(effects.length);
}

/** Null when that is no answer to what is asked. */
function answered(row: EffectRow, answer: EffectAnswer, nowMs: number): EffectRow | null {
  const isAsked = row.state === (answer === 'overwrite' || answer === 'keep' ? 'contested' : 'in_doubt');
  if (!isAsked) return null;
  switch (answer) {
    case 'overwrite':
      // What was found may be written over, and nothing that has come after it.
      return { ...row, state: 'approved', before: row.found };
    case 'again':
      return { ...row, state: 'approved' };
    case 'sent':
      return { ...row, state: 'done', settledMs: nowMs };
    case 'keep':
    case 'skip':
      return { ...row, state: 'abandoned', settledMs: nowMs };
  }
}
