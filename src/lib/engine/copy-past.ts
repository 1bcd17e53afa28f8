import { mergeDrafts } from '../core/commit';
import type { ForkCursor, ForkOrigin } from '../core/fork-origin';
import type { ResultKey } from '../core/ids';
import { Past, untried, type PastPage } from '../core/past';
import type { CheckpointStore } from '../core/ports';
import { readableResults } from '../core/readable-results';
import { ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow, StepType } from '../core/step';
import type { OwnedTask } from './owned-task';
import { stepDraft } from './step-rows';

type Kept = ReadonlyMap<ResultKey, ResultRow>;

/** Results come along, so that neither the parent's end nor a lost database takes them: a page is held in memory. */
const PAGE = 100;

/**
 * Gives a fork that is not whole yet the steps that its parent had then, page by page, each in one commit with the note
 * of how far it came. Nothing for any other task. Where the parent is gone, what is there is all there is: the rest is
 * planned from the folder as in any task. Failures: those of the store that no waiting mends.
 */
export async function copyPast(owned: OwnedTask): Promise<Result<void>> {
  const origin = owned.row.forkedFrom;
  if (!origin?.copying) return ok();
  const { store } = owned.ports;
  const past = new Past(store, origin.taskId, origin.seq);
  let cursor: ForkCursor | null = origin.copying;
  while (cursor !== null) {
    const { type, after }: ForkCursor = cursor;
    owned.signal.throwIfAborted();
    const page: Result<PastPage> = await owned.obtain(() => past.page(type, after, PAGE));
    if (!page.ok) return page;
    const kept = await owned.obtain(() => resultsOf(store, page.value.steps));
    if (!kept.ok) return kept;
    cursor = nextCursor(type, page.value, origin);
    const steps = page.value.steps.flatMap((step) => copyOf(step, owned, origin, kept.value));
    await owned.submit({
      ...mergeDrafts(steps.map((step) => stepDraft(null, step))),
      results: [...kept.value.values()],
      task: { forkedFrom: { ...origin, copying: cursor } },
      ...(cursor === null ? madeWhole(origin) : {}),
    });
  }
  return ok();
}

/** Where other answers are to be expected the report's tree is grown anew, and finds its old results where they are wanted. */
function typesOf({ keepsResults }: ForkOrigin): readonly StepType[] {
  return keepsResults ? ['file', 'merge', 'part', 'section'] : ['file', 'part'];
}

function nextCursor(type: StepType, page: PastPage, origin: ForkOrigin): ForkCursor | null {
  if (page.next !== null) return { type, after: page.next };
  const types = typesOf(origin);
  const next = types[types.indexOf(type) + 1];
  return next === undefined ? null : { type: next, after: null };
}

/**
 * A step that was done stays done; where requests may be others now it is looked at again, and knows what it had. All
 * else is tried as if it never had been.
 */
function copyOf(step: StepRow, owned: OwnedTask, origin: ForkOrigin, kept: Kept): readonly StepRow[] {
  const { addedSeq: _, ...own } = { ...step, taskId: owned.row.id, seq: 0 };
  const { type, resultKey, inputHash, flags } = own;
  const isDone = step.status === 'done' && resultKey !== null && kept.has(resultKey);
  if (type === 'part') return isDone ? [own] : [];
  const blank = { ...untried(own), seq: 0 };
  if (!isDone) return [blank];
  return [origin.keepsResults ? own : { ...blank, inputHash, resultKey, flags }];
}

async function resultsOf(store: CheckpointStore, steps: readonly StepRow[]): Promise<Result<Kept>> {
  const done = steps.filter(({ status }) => status === 'done');
  const found = await readableResults(store, [...new Set(done.flatMap(({ resultKey }) => resultKey ?? []))]);
  if (!found.ok) return found;
  return ok(new Map(found.value.flatMap((row) => (row === null ? [] : [[row.key, row] as const]))));
}

function madeWhole({ name, seq }: ForkOrigin) {
  return {
    activity: [{ what: 'forked', details: { from: name, seq }, failure: null }],
    durability: 'strict',
  } as const;
}
