import { applyCommit, type CommitDraft } from '../../../../src/lib/core/commit';
import { bareSave, plainLibrarySave, type StepRows } from './bare-store';
import { doneDraft, doneStepOf, pendingStep, planDraft, resultOf } from './bench-steps';
import { commitOf, databaseStore, journaledStore, newTask } from './bench-store';
import { median, quantile, timed } from './figures';

const IN_TURN = 20;

/**
 * A finished step saved in four ways, in turn, so that each sees the same load: three bare puts, the same through the
 * library, the app's database store, and that with the journal in front. The step rows are there already, as planned.
 */
export async function measureCommits(steps: number): Promise<unknown> {
  const [bare, library, database, journaled] = await Promise.all([
    bareSave('bare'),
    plainLibrarySave('library'),
    databaseStore('database'),
    journaledStore('journaled'),
  ]);
  const { task } = newTask('bare');
  const rowsOf = (index: number): StepRows => {
    const step = pendingStep(task.id, index);
    const result = resultOf(index);
    const seq = steps + index;
    const row = applyCommit(task, commitOf(task, doneDraft(step, index)));
    return { task: { ...row, seq }, step: { ...doneStepOf(step, result), seq }, result };
  };
  const ways: Record<string, (index: number) => () => Promise<unknown>> = {
    bare: (index) => prepared(rowsOf(index), bare),
    library: (index) => prepared(rowsOf(index), library),
    database: (index) => prepared(doneDraft(pendingStep(database.task.id, index), index), database.commit),
    journaled: (index) => prepared(doneDraft(pendingStep(journaled.task.id, index), index), journaled.commit),
  };
  for (let index = 0; index < steps; index += 1) {
    const planned = { ...rowsOf(index), step: { ...pendingStep(task.id, index), seq: index }, result: null };
    await Promise.all([bare(planned), library(planned)]);
  }
  for (const store of [database, journaled]) for (const draft of plans(store.task.id, steps)) await store.commit(draft);
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let from = 0; from < steps; from += IN_TURN) {
    for (const [name, prepare] of Object.entries(ways)) {
      for (let index = from; index < from + IN_TURN; index += 1) {
        const save = prepare(index);
        times.get(name)?.push(await timed(save));
      }
    }
  }
  return Object.fromEntries([...times].map(([name, ms]) => [name, { p50: median(ms), p95: quantile(ms, 0.95) }]));
}

function prepared<T>(rows: T, save: (rows: T) => Promise<unknown>): () => Promise<unknown> {
  return () => save(rows);
}

function* plans(taskId: Parameters<typeof pendingStep>[0], steps: number): Iterable<CommitDraft> {
  for (let index = 0; index < steps; index += 1) yield planDraft(pendingStep(taskId, index));
}
