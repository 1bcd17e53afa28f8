import { settled, type Counts } from '../core/counts';
import { failure, type Failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import type { CheckpointStore } from '../core/ports';
import { DEFAULT_FAILURE_PERCENT, type FailuresSeen, type TaskRow } from '../core/task';

/** Fewer files say nothing about the rest of a folder. */
const MIN_TRIED = 20;
/** Failed files looked at for the most frequent cause. */
const SAMPLE = 500;

/** Skipped files are not among them: nobody tried anything on these. */
export function failuresSeen({ done, reused, failed }: Counts): FailuresSeen {
  return { tried: done + reused + failed, failed };
}

/**
 * As many percent as the task allows of at least 20 files failed since the person last said to go on, and there are files
 * left to save from that. At the end of the folder there is nothing left to stop: the report names what failed.
 */
export function isTooManyFailed({ options, counts, failuresSeen: known, plan }: TaskRow): boolean {
  const { failurePercent = DEFAULT_FAILURE_PERCENT } = options;
  if (failurePercent === 0) return false;
  if (plan.state === 'done' && settled(counts) >= counts.planned) return false;
  const now = failuresSeen(counts);
  const tried = now.tried - (known?.tried ?? 0);
  const failed = now.failed - (known?.failed ?? 0);
  return tried >= MIN_TRIED && failed * 100 >= tried * failurePercent;
}

/** `too_many_failures`, with the most frequent cause among the failed files. */
export async function tooManyFailures({ id, counts }: TaskRow, store: CheckpointStore): Promise<Failure> {
  const { tried, failed } = failuresSeen(counts);
  const rows = await store.stepsByStatus(id, 'failed', SAMPLE);
  const times = new Map<FailureCode, number>();
  for (const row of rows.ok ? rows.value : [])
    if (row.failure) times.set(row.failure.code, (times.get(row.failure.code) ?? 0) + 1);
  const [cause] = [...times].sort(([, a], [, b]) => b - a)[0] ?? [];
  return failure('too_many_failures', { details: { failed, tried, ...(cause ? { cause } : {}) } });
}
