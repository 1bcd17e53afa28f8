import { mergeDrafts, type CommitDraft } from '../core/commit';
import { failure, parkReason } from '../core/failure';
import type { FileEntry, IgnoreReason } from '../core/folder';
import { fileStepKey, type StepKey, type TaskId } from '../core/ids';
import { compareBatch, matchMoved } from '../core/manifest-diff';
import type { CheckpointStore, Digest, Folder } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { isSettled, type FileFingerprint, type StepRow } from '../core/step';
import type { PlanSummary, TaskRow } from '../core/task';
import { newFileStep, reopenedStep, stepDraft } from './step-rows';

interface PlanOptions {
  readonly taskId: TaskId;
  readonly store: CheckpointStore;
  readonly folder: Folder;
  readonly digest: Digest;
  readonly signal: AbortSignal;
  /** The globs of the task; null lets a path in. */
  readonly verdict: (path: string) => IgnoreReason | null;
  readonly submit: (draft: CommitDraft) => Promise<TaskRow>;
  /** Called when new work has been saved. */
  readonly onWork: () => void;
}

const BATCH = 256;
const STATS_AT_ONCE = 16;
/** Bytes of a file that is read only to see whether it was moved. */
const MAX_MOVED_BYTES = 64 * 1024 * 1024;

/**
 * Walks the folder and brings the steps in line with it: identity is path and content, never position. Work can go on
 * meanwhile; files found early are begun early. A file that the listing misses is looked for by name before it is
 * called gone, since listings can come back short. Pending steps are the work's alone: it reads the file and finds out
 * by itself what became of it. Failures: `folder_empty`, and what `Folder` returns.
 */
export async function planFolder(options: PlanOptions): Promise<Result<PlanSummary>> {
  const { folder, signal, verdict, submit } = options;
  const seen = new Set<StepKey>();
  const added: FileEntry[] = [];
  const tally = { added: 0, changed: 0, unchanged: 0 };
  let batch: FileEntry[] = [];
  const flush = async (): Promise<Result<void>> => {
    const entries = batch;
    batch = [];
    for (const entry of entries) seen.add(fileStepKey(entry.path));
    const merged = await mergeBatch(options, entries);
    if (!merged.ok) return merged;
    tally.added += merged.value.added.length;
    tally.changed += merged.value.changed;
    tally.unchanged += merged.value.unchanged;
    added.push(...merged.value.added);
    await submit({
      ...merged.value.draft,
      task: { plan: { ...NOTHING_YET, state: 'walking', seen: seen.size, ...tally } },
    });
    options.onWork();
    return ok();
  };
  let problems = 0;
  for await (const entries of folder.walk(signal, () => (problems += 1))) {
    for (const entry of entries) if (verdict(entry.path) === null) batch.push(entry);
    while (batch.length >= BATCH) {
      const rest = batch.splice(BATCH);
      const flushed = await flush();
      if (!flushed.ok) return flushed;
      batch = rest;
    }
  }
  if (batch.length > 0) {
    const flushed = await flush();
    if (!flushed.ok) return flushed;
  }
  if (seen.size === 0) return fail(failure('folder_empty'));
  const missing = await missingFiles(options, seen);
  if (!missing.ok) return missing;
  const moved = await matchMoved(
    missing.value.flatMap((step) => (step.file ? [step.file] : [])),
    added,
    (path) => digestOf(options, path),
  );
  const summary: PlanSummary = {
    state: 'done',
    seen: seen.size,
    ...tally,
    removed: missing.value.length - moved.size,
    moved: moved.size,
  };
  await submit(goneDraft(missing.value, summary, problems));
  return ok(summary);
}

const NOTHING_YET: PlanSummary = {
  state: 'walking',
  seen: 0,
  added: 0,
  changed: 0,
  removed: 0,
  moved: 0,
  unchanged: 0,
};

interface MergedBatch {
  readonly draft: CommitDraft;
  readonly added: readonly FileEntry[];
  readonly changed: number;
  readonly unchanged: number;
}

async function mergeBatch(options: PlanOptions, entries: readonly FileEntry[]): Promise<Result<MergedBatch>> {
  const keys = entries.map((entry) => fileStepKey(entry.path));
  const known = await options.store.steps(options.taskId, keys);
  if (!known.ok) return known;
  const verdicts = compareBatch(
    entries,
    known.value.map((step) => step?.file ?? null),
  );
  const drafts: CommitDraft[] = [];
  const added: FileEntry[] = [];
  let changed = 0;
  let unchanged = 0;
  entries.forEach((entry, index) => {
    const before = known.value[index] ?? null;
    const verdict = verdicts[index];
    if (before === null) {
      added.push(entry);
      drafts.push(stepDraft(null, newFileStep(options.taskId, unread(entry))));
    } else if (!isSettled(before.status)) {
      unchanged += 1;
    } else if (verdict === 'changed' || before.failure?.code === 'file_gone') {
      changed += 1;
      drafts.push(stepDraft(before, reopenedStep(before, unread(entry))));
    } else {
      unchanged += 1;
    }
  });
  return ok({ draft: mergeDrafts(drafts), added, changed, unchanged });
}

async function missingFiles(options: PlanOptions, seen: ReadonlySet<StepKey>): Promise<Result<readonly StepRow[]>> {
  const missing: StepRow[] = [];
  let after: StepKey | null = null;
  for (;;) {
    const page: Result<readonly StepRow[]> = await options.store.stepsOfType(options.taskId, 'file', after, BATCH);
    if (!page.ok) return page;
    const candidates = page.value.filter((step) => !seen.has(step.key) && step.failure?.code !== 'file_gone');
    for (let at = 0; at < candidates.length; at += STATS_AT_ONCE) {
      const group = candidates.slice(at, at + STATS_AT_ONCE);
      const found = await Promise.all(group.map((step) => options.folder.stat(step.file?.path ?? '')));
      for (const [index, stat] of found.entries()) {
        const step = group[index];
        if (!stat.ok && parkReason(stat.failure.code) !== null) return stat;
        // A file that cannot be looked at is not called gone.
        if (step && stat.ok && stat.value === null) missing.push(step);
      }
    }
    const last = page.value.at(-1);
    if (!last || page.value.length < BATCH) return ok(missing);
    after = last.key;
  }
}

function goneDraft(missing: readonly StepRow[], plan: PlanSummary, problems: number): CommitDraft {
  const settled = missing.filter((step) => isSettled(step.status));
  const moves = settled.map((step) => stepDraft(step, { ...step, status: 'skipped', failure: failure('file_gone') }));
  return {
    ...mergeDrafts(moves),
    task: { plan },
    activity: [
      {
        what: 'planned',
        details: {
          files: plan.seen,
          added: plan.added,
          changed: plan.changed,
          removed: plan.removed,
          moved: plan.moved,
          unchanged: plan.unchanged,
          problems,
        },
        failure: null,
      },
    ],
  };
}

async function digestOf(options: PlanOptions, path: string) {
  const file = await options.folder.read(path, MAX_MOVED_BYTES);
  return file.ok ? options.digest.bytes(file.value.bytes) : null;
}

function unread(entry: FileEntry): FileFingerprint {
  return { path: entry.path, sizeBytes: entry.sizeBytes, modifiedMs: entry.modifiedMs, digest: null };
}
