import { FailureError } from '../core/failure-error';
import type { StepKey } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import { readableResults } from '../core/readable-results';
import type { TaskRow } from '../core/task';
import type { FileResult } from './results-csv';

const PAGE = 200;

/**
 * Every file of a task with its result, in path order, read page by page; the output is empty where there is no answer,
 * or none that can be read. Throws `FailureError` when storage fails.
 */
export async function* fileResults(store: CheckpointStore, task: TaskRow): AsyncIterable<FileResult> {
  let after: StepKey | null = null;
  for (;;) {
    const page = await store.stepsOfType(task.id, 'file', after, PAGE);
    if (!page.ok) throw new FailureError(page.failure);
    const done = page.value.flatMap((step) => (step.status === 'done' && step.resultKey ? [step.resultKey] : []));
    const results = await readableResults(store, done);
    if (!results.ok) throw new FailureError(results.failure);
    const outputs = new Map(results.value.flatMap((row) => (row ? [[row.key, row.output] as const] : [])));
    for (const step of page.value) {
      const output = step.status === 'done' && step.resultKey ? outputs.get(step.resultKey) : undefined;
      yield { step, output: output ?? '' };
    }
    const last = page.value.at(-1);
    if (!last || page.value.length < PAGE) return;
    after = last.key;
  }
}
