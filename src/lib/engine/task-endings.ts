import { failure, type Failure } from '../core/failure';
import { resultKey } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import { isFinished } from '../core/task';
import { NO_USAGE } from '../core/usage';
import { CommitRefused } from './committer';
import type { Job } from './job';
import type { OwnedTask } from './owned-task';
import { writeOutput } from './write-output';

/** Makes the report, saves it together with the completed status, then writes it into the person's folder. */
export async function completeTask(owned: OwnedTask, job: Job): Promise<Result<void>> {
  const { ports, signal } = owned;
  await ports.faults.reach('before-report', owned.row.id);
  const report = await owned.obtain(() => job.report(owned.jobContext()));
  if (!report.ok) return report;
  const folder = await owned.obtain(() => ports.store.folder(owned.row.folderId));
  const isOnDisk = folder.ok && folder.value?.kind === 'handle';
  const stored = await reportRow(owned, report.value);
  await ports.faults.reach('after-report', owned.row.id);
  signal.throwIfAborted();
  const { done, reused, failed, skipped } = owned.row.counts;
  await owned.submit({
    results: [stored],
    task: {
      status: 'completed',
      reason: null,
      failure: null,
      hold: null,
      report: stored.key,
      output: isOnDisk ? 'due' : 'none',
      finishedMs: ports.clock.now(),
    },
    activity: [{ what: 'completed', details: { done, reused, failed, skipped }, failure: null }],
    durability: 'strict',
  });
  await writeOutput(ports, owned, report.value);
  return ok();
}

async function reportRow(owned: OwnedTask, text: string): Promise<ResultRow> {
  const nowMs = owned.ports.clock.now();
  const digest = await owned.ports.digest.text(text);
  return {
    v: 1,
    key: resultKey(`report/${owned.row.id}/${digest}`),
    reusable: false,
    output: text,
    finishReason: 'stop',
    usage: NO_USAGE,
    model: '',
    createdMs: nowMs,
    lastUsedMs: nowMs,
  };
}

/** The task as it is has no report, and no waiting would give it one. Everything finished stays. */
export async function failTask(owned: OwnedTask, why: Failure): Promise<void> {
  const finishedMs = owned.ports.clock.now();
  await owned.change({ status: 'failed', reason: null, failure: why, hold: null, finishedMs }, 'failed', why);
}

/** Saves why a run ended early; `why` is null when the person stopped it. A task that is no longer ours is left alone. */
export async function endTask(
  owned: OwnedTask,
  how: 'paused' | 'cancelled',
  why: Failure | null,
): Promise<Result<void>> {
  // What came after its end was about its output. The row in hand may be older than what was saved.
  const stored = await owned.ports.store.task(owned.row.id);
  if (isFinished((stored.ok && stored.value ? stored.value : owned.row).status)) return why ? fail(why) : ok();
  try {
    if (how === 'cancelled') {
      const finishedMs = owned.ports.clock.now();
      await owned.change({ status: 'cancelled', reason: null, failure: null, hold: null, finishedMs }, 'cancelled');
    } else {
      const reason = why ? 'attention' : 'user';
      await owned.change({ status: 'paused', reason, failure: why, hold: null }, 'paused', why, { reason });
    }
    return why ? fail(why) : ok();
  } catch (refused) {
    if (refused instanceof CommitRefused) return fail(refused.failure);
    throw refused;
  }
}

export function reportFailed(lost: StepRow): Failure {
  const details = { cause: lost.failure?.code ?? 'unexpected' };
  return failure('report_failed', { message: lost.failure?.message ?? '', details });
}
