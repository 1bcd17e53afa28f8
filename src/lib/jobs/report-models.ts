import type { ResultKey, StepKey } from '../core/ids';
import { readableResults } from '../core/readable-results';
import { ok, type Result } from '../core/result';
import type { StepRow, StepType } from '../core/step';
import type { JobContext } from '../engine/job';

const TYPES: readonly StepType[] = ['file', 'part', 'merge', 'section'];
const PAGE = 200;

/**
 * Names of the models whose answers the task has, as they gave them, the one that it works with now first. A task that
 * came from a file, or whose endpoint is another now, has more than one.
 */
export async function modelsOf(context: JobContext): Promise<Result<readonly string[]>> {
  const models = new Set<string>();
  for (const type of TYPES) {
    for (let after: StepKey | null = null; ;) {
      const page: Result<readonly StepRow[]> = await context.store.stepsOfType(context.task.id, type, after, PAGE);
      if (!page.ok) return page;
      const found = await readableResults(context.store, page.value.flatMap(answerOf));
      if (!found.ok) return found;
      for (const row of found.value) if (row !== null && row.model !== '') models.add(row.model);
      const last = page.value.at(-1);
      if (!last || page.value.length < PAGE) break;
      after = last.key;
    }
  }
  const isNow = (model: string) => context.modelIdentity === model || context.modelIdentity.endsWith(`/${model}`);
  const inOrder = [...models].sort();
  return ok([...inOrder.filter(isNow), ...inOrder.filter((model) => !isNow(model))]);
}

function answerOf({ status, resultKey }: StepRow): readonly ResultKey[] {
  return status === 'done' && resultKey !== null ? [resultKey] : [];
}
