import { settled } from '../core/counts';
import type { Endings } from '../core/endings';
import { ok, type Result } from '../core/result';
import { isFinished, type Recovery, type TaskRow } from '../core/task';
import { failuresSeen } from './failure-share';
import type { OwnedTask } from './owned-task';
import type { OwnerEnd } from './suspicion';
import { recoverRunning, reopenFailed } from './recover-steps';

interface TakeOver {
  readonly isRetry: boolean;
  /** When the last owner last saved something. */
  readonly lastSeenMs: number;
}

/** A commit may still be on its way when its page is left. */
const LEAVING_MS = 1_000;

/** Makes a task that was just owned a running one, whatever its last owner left. Resolves to whether that one died. */
export async function takeOver(owned: OwnedTask, { isRetry, lastSeenMs }: TakeOver): Promise<Result<boolean>> {
  const { row, ports } = owned;
  const resumes = row.startedMs !== null;
  const wasRunning = resumes && row.status === 'running';
  const end = endOf(ports.endings(), lastSeenMs, ports.clock.now());
  const submit = owned.submit.bind(owned);
  const left = await owned.obtain(() => ports.store.partials(row.id));
  if (!left.ok) return left;
  owned.partials.adopt(left.value);
  const inFlight = await owned.obtain(() => recoverRunning(row, ports.store, submit, end));
  if (!inFlight.ok) return inFlight;
  const nowMs = ports.clock.now();
  const recovery = recoveryOf(owned.row, inFlight.value, nowMs);
  const isUnplugged = wasRunning && wasUnplugged(ports.endings(), lastSeenMs, nowMs);
  const resumed = isUnplugged ? 'unplugged' : wasRunning ? 'taken_over' : 'resumed';
  await owned.change(
    {
      status: 'running',
      reason: null,
      failure: null,
      hold: null,
      stage: 'files',
      startedMs: row.startedMs ?? nowMs,
      finishedMs: null,
      ...(isFinished(row.status) ? { deadlineFromMs: row.activeMs } : {}),
      ...(resumes ? { recovery: isFinished(row.status) ? null : recovery } : {}),
      ...(wasRunning ? { interruptions: (row.interruptions ?? 0) + 1 } : {}),
    },
    isRetry ? 'retry_failed' : resumes ? resumed : 'started',
    null,
    {
      ...(resumes ? { settled: recovery.settledBefore, inFlight: recovery.inFlight } : {}),
      ...(isUnplugged ? lostAtMost(row, recovery.inFlight) : {}),
    },
  );
  // Not before the task is a running one: a finished task with files to do is one that nobody goes on with.
  const reopened = isRetry ? await reopen(owned) : ok();
  return reopened.ok ? ok(wasRunning && end !== 'left') : reopened;
}

/**
 * What is told of an interruption. An owner that came to nothing, since it waited for the person or was interrupted
 * before its first question, hands on what it found itself.
 */
function recoveryOf({ recovery, counts }: TaskRow, inFlight: number, nowMs: number): Recovery {
  const settledBefore = settled(counts);
  if (recovery !== null && inFlight === 0 && recovery.settledBefore === settledBefore)
    return { ...recovery, atMs: nowMs };
  return { atMs: nowMs, settledBefore, repeated: 0, inFlight, continuedTokens: 0 };
}

function wasUnplugged({ unpluggedMs }: Endings, lastSeenMs: number, nowMs: number): boolean {
  return unpluggedMs !== undefined && isBetween(unpluggedMs, lastSeenMs, nowMs);
}

/** Tokens of answers that were coming in and had not been written down; nothing when that is not known. */
function lostAtMost({ atRisk }: Pick<TaskRow, 'atRisk'>, inFlight: number): { lost?: number } {
  if (inFlight === 0) return { lost: 0 };
  return atRisk === undefined ? {} : { lost: atRisk.tokens };
}

/** A note from the future is of a clock that has been set back since: it would speak for every end until then. */
function isBetween(notedMs: number, lastSeenMs: number, nowMs: number): boolean {
  return notedMs >= lastSeenMs && notedMs <= nowMs + LEAVING_MS;
}

/** How the last owner ended, of whom `lastSeenMs` is the last trace. */
export function endOf({ leftMs, diedMs }: Endings, lastSeenMs: number, nowMs: number): OwnerEnd {
  const isAfter = (notedMs: number) => isBetween(notedMs, lastSeenMs, nowMs);
  // The page was closed or left after that: the last owner was ended, and did not die of its work.
  if (leftMs !== null && isAfter(leftMs + LEAVING_MS)) return 'left';
  return diedMs !== null && isAfter(diedMs) ? 'crashed' : 'unknown';
}

/** Failed steps run again; what is known of failures starts anew with them. */
export async function reopen(owned: OwnedTask): Promise<Result<void>> {
  const reopened = await owned.obtain(() => reopenFailed(owned.row, owned.ports.store, owned.submit.bind(owned)));
  if (!reopened.ok) return reopened;
  await owned.submit({ task: { failuresSeen: failuresSeen(owned.row.counts) } });
  return ok();
}
