import type { NewActivity } from './activity';
import { NO_COUNTS, addCounts, type Counts } from './counts';
import type { EffectRow } from './effect';
import type { ResultKey, StepKey, TaskId } from './ids';
import type { ResultRow } from './results';
import { addSaved, NOTHING_SAVED, orNothing, type Saved } from './saved';
import type { StepRow } from './step';
import type { TaskRow } from './task';
import { NO_USAGE, addUsage, type Usage } from './usage';

/** Fields of a task that a commit sets. Counters are not among them: they are added to, see `Commit`. */
export type TaskPatch = Partial<
  Omit<
    TaskRow,
    | 'v'
    | 'id'
    | 'kind'
    | 'epoch'
    | 'seq'
    | 'counts'
    | 'usage'
    | 'requests'
    | 'reusedRequests'
    | 'createdMs'
    | 'activeMs'
    | 'saved'
  >
>;

/**
 * Everything one transaction writes. Accepted only while `epoch` is the task's; then the task's `seq` grows by one and
 * every row written carries it. Nothing is ever rewritten whole, so the cost does not depend on the task's size.
 */
export interface Commit {
  readonly taskId: TaskId;
  readonly epoch: number;
  readonly atMs: number;
  readonly task: TaskPatch;
  readonly counts: Counts;
  readonly usage: Usage;
  readonly requests: number;
  readonly reusedRequests: number;
  readonly activeMs: number;
  /** Absent for nothing. */
  readonly saved?: Saved;
  readonly steps: readonly StepRow[];
  readonly removedSteps: readonly StepKey[];
  /** Finished rows that this commit takes back, and all that it removes, as they were: the task's past keeps them. */
  readonly replaced: readonly StepRow[];
  /**
   * Reusable ones are put unless they are there. A step that reuses a result brings its row along: should the task it came from be removed
   * between the look-up and this commit, the result is kept all the same.
   */
  readonly results: readonly ResultRow[];
  readonly activity: readonly NewActivity[];
  readonly effects: readonly EffectRow[];
  /** Requests whose partial answer is not needed any more. */
  readonly settledPartials: readonly ResultKey[];
  /** `strict` for task status and effects; `relaxed` for results. */
  readonly durability: 'strict' | 'relaxed';
}

/** What is to be written, without by whom and when. */
export type CommitBody = Omit<Commit, 'taskId' | 'epoch' | 'atMs'>;

export type CommitDraft = Partial<CommitBody>;

/** The sum of drafts that became ready together, in order: later rows of the same key win. */
export function mergeDrafts(drafts: readonly CommitDraft[]): CommitBody {
  const steps = new Map<StepKey, StepRow>();
  const removed = new Set<StepKey>();
  const results = new Map<string, ResultRow>();
  const effects = new Map<string, EffectRow>();
  for (const draft of drafts) {
    for (const key of draft.removedSteps ?? []) {
      removed.add(key);
      steps.delete(key);
    }
    for (const step of draft.steps ?? []) {
      removed.delete(step.key);
      steps.set(step.key, step);
    }
    for (const effect of draft.effects ?? []) effects.set(effect.key, effect);
    for (const result of draft.results ?? []) if (!results.has(result.key)) results.set(result.key, result);
  }
  const saved = savedIn(drafts);
  return {
    ...(saved ? { saved } : {}),
    task: Object.assign({}, ...drafts.map((draft) => draft.task ?? {})) as TaskPatch,
    counts: drafts.reduce<Counts>((sum, draft) => addCounts(sum, draft.counts ?? NO_COUNTS), NO_COUNTS),
    usage: drafts.reduce<Usage>((sum, draft) => addUsage(sum, draft.usage ?? NO_USAGE), NO_USAGE),
    requests: total(drafts, 'requests'),
    reusedRequests: total(drafts, 'reusedRequests'),
    activeMs: total(drafts, 'activeMs'),
    steps: [...steps.values()],
    removedSteps: [...removed],
    replaced: drafts.flatMap((draft) => draft.replaced ?? []),
    results: [...results.values()],
    activity: drafts.flatMap((draft) => draft.activity ?? []),
    effects: [...effects.values()],
    settledPartials: drafts.flatMap((draft) => draft.settledPartials ?? []),
    durability: drafts.some((draft) => draft.durability === 'strict') ? 'strict' : 'relaxed',
  };
}

/** The task row after a commit. Stores call this inside their transaction. */
export function applyCommit(task: TaskRow, commit: Commit): TaskRow {
  return {
    ...task,
    ...commit.task,
    counts: addCounts(task.counts, commit.counts),
    usage: addUsage(task.usage, commit.usage),
    requests: task.requests + commit.requests,
    reusedRequests: task.reusedRequests + commit.reusedRequests,
    activeMs: task.activeMs + commit.activeMs,
    ...withSaved(task, commit),
    seq: task.seq + 1,
    updatedMs: commit.atMs,
  };
}

function total(drafts: readonly CommitDraft[], field: 'requests' | 'reusedRequests' | 'activeMs'): number {
  return drafts.reduce((sum, draft) => sum + (draft[field] ?? 0), 0);
}

function savedIn(drafts: readonly CommitDraft[]): Saved | null {
  return orNothing(drafts.reduce((sum, { saved }) => (saved ? addSaved(sum, saved) : sum), NOTHING_SAVED));
}

/** The recovery's own count is added to as well: what is told of an interruption is what its answers were spared. */
function withSaved(task: TaskRow, { saved, task: patch }: Commit): Partial<TaskRow> {
  const told = patch.recovery === undefined ? task.recovery : patch.recovery;
  const isSame = told !== null && told.atMs === task.recovery?.atMs;
  const countedTokens = (isSame ? task.recovery : told)?.continuedTokens ?? 0;
  const recovery = told && { ...told, continuedTokens: countedTokens + (saved?.tokens ?? 0) };
  return { recovery, ...(saved ? { saved: addSaved(task.saved ?? NOTHING_SAVED, saved) } : {}) };
}
