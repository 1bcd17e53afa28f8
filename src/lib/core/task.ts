import type { Counts } from './counts';
import type { Failure } from './failure';
import type { FieldSpec } from './fields';
import type { ForkOrigin } from './fork-origin';
import type { EndpointId, FolderId, ResultKey, TaskId } from './ids';
import type { ImportOrigin } from './import-origin';
import type { Language } from './language';
import type { Saved } from './saved';
import type { Usage } from './usage';

export type TaskKind = 'batch';
export type TaskStatus = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
export type PauseReason = 'user' | 'network' | 'endpoint' | 'permission' | 'storage' | 'approval' | 'attention';

/** Legal moves. Finished tasks run again only through "retry failed" or "continue" after the folder changed. */
export const TASK_TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: ['running', 'paused', 'cancelled'],
  running: ['paused', 'completed', 'failed', 'cancelled'],
  paused: ['running', 'cancelled'],
  completed: ['running'],
  failed: ['running', 'cancelled'],
  cancelled: ['running'],
};

export function canTaskMove(from: TaskStatus, to: TaskStatus): boolean {
  return from === to || TASK_TRANSITIONS[from].includes(to);
}

/** Reasons that can end without the person: the task is watched and goes on by itself. */
export const SELF_ENDING: readonly PauseReason[] = ['network', 'endpoint', 'permission', 'storage'];

/** True when a task found in this state should go on by itself as soon as an owner is there. */
export function goesOnByItself(task: { status: TaskStatus; reason: PauseReason | null }): boolean {
  if (task.status === 'pending' || task.status === 'running') return true;
  return task.status === 'paused' && task.reason !== null && SELF_ENDING.includes(task.reason);
}

/** True when a task found in this state leaves something to do that nobody need ask for: going on, or writing its output. */
export function hasWorkLeft(task: { status: TaskStatus; reason: PauseReason | null; output: OutputState }): boolean {
  return goesOnByItself(task) || (task.status === 'completed' && task.output === 'due');
}

export function isFinished(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export type Template = 'summary' | 'question' | 'classify' | 'extract' | 'translate';
export const TEMPLATES: readonly Template[] = ['summary', 'question', 'classify', 'extract', 'translate'];

export interface BatchOptions {
  readonly v: 1;
  readonly template: Template;
  /** What the person typed: the question, the classes, the target language, or extra wishes. */
  readonly instructions: string;
  /** What `extract` looks for in each file, one or more; absent for the other templates. */
  readonly fields?: readonly FieldSpec[];
  /** Language of prompts, results and report. */
  readonly language: Language;
  /** Globs on the path within the folder; empty means every readable file. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Requests at once. @default 4 */
  readonly concurrency: number;
  /**
   * Pauses for attention after so many hours of running: reading, asking and waiting for answers and for what a server
   * asked to wait, without pauses and without sleep of the machine. Counted anew when the person says to go on, and
   * when a finished task runs again. Failure: `deadline_reached`. @default no deadline
   */
  readonly deadlineHours?: number;
  /**
   * Pauses for attention when so many percent of at least twenty files failed; 0 never does. Failure:
   * `too_many_failures`. @default 50
   */
  readonly failurePercent?: number;
}

export const DEFAULT_FAILURE_PERCENT = 50;
export const MIN_DEADLINE_HOURS = 0.1;
export const MAX_DEADLINE_HOURS = 1_000;

export const DEFAULT_CONCURRENCY = 4;
export const MAX_CONCURRENCY = 64;

/** What the last walk found against the manifest. */
export interface PlanSummary {
  readonly state: 'due' | 'walking' | 'done';
  /** Files seen so far by the walk in progress. */
  readonly seen: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly moved: number;
  readonly unchanged: number;
}

export const PLAN_DUE: PlanSummary = {
  state: 'due',
  seen: 0,
  added: 0,
  changed: 0,
  removed: 0,
  moved: 0,
  unchanged: 0,
};

/** What the owner found when it took the task over; shown as one line. */
export interface Recovery {
  readonly atMs: number;
  /** Files settled when the work went on. */
  readonly settledBefore: number;
  /** Finished files whose unchanged request was sent again. The guarantee says: always 0. */
  readonly repeated: number;
  /** Requests that were in flight and are asked again. */
  readonly inFlight: number;
  /** Tokens of answers that were gone on with since then instead of being generated again. */
  readonly continuedTokens: number;
}

/** Distance between two settled files while running, in milliseconds of the monotonic clock: Welford's mean and variance. */
export interface Pace {
  readonly samples: number;
  readonly meanMs: number;
  readonly m2: number;
}

export const NO_PACE: Pace = { samples: 0, meanMs: 0, m2: 0 };

/**
 * State of the files written into the person's folder. `due` is written on the next chance; `refused` waits for a click;
 * `waiting` is written but for files that somebody else has changed, which wait for the person's answer.
 */
export type OutputState = 'none' | 'due' | 'written' | 'refused' | 'failed' | 'waiting';

/** Files tried to their end (done, reused or failed), and how many of them failed. */
export interface FailuresSeen {
  readonly tried: number;
  readonly failed: number;
}

/** The task holds new requests until then; it is still running. */
export interface Hold {
  readonly code: Failure['code'];
  readonly untilMs: number;
}

/**
 * Tokens that a model counts for each estimated one, at least 1: fixed when the task begins with that model, since other
 * pieces of a file are other questions. Raised only when a request was refused as too long.
 */
export interface TaskTokenRatio {
  /** `Model.source` that it was learned of. */
  readonly source: string;
  readonly ratio: number;
}

export interface TaskRow {
  readonly v: 1;
  readonly id: TaskId;
  readonly name: string;
  readonly kind: TaskKind;
  readonly options: BatchOptions;
  readonly folderId: FolderId;
  readonly folderName: string;
  readonly endpointId: EndpointId;
  readonly status: TaskStatus;
  readonly reason: PauseReason | null;
  /** Why it is paused or failed. */
  readonly failure: Failure | null;
  readonly hold: Hold | null;
  readonly counts: Counts;
  readonly usage: Usage;
  /** Model requests answered, and of these how many the last run's reuse saved. */
  readonly requests: number;
  readonly reusedRequests: number;
  readonly pace: Pace;
  readonly plan: PlanSummary;
  readonly recovery: Recovery | null;
  /** Tokens a request may hold, learned from the server; null until told. */
  readonly contextTokens: number | null;
  /** The source (`Model.source`) that `contextTokens` was learned of; absent: whichever the endpoint is. */
  readonly contextOf?: string;
  /** By what the task counts tokens; absent until it first planned by a model that says where it is from. */
  readonly tokenRatio?: TaskTokenRatio;
  readonly stage: TaskStage;
  readonly report: ResultKey | null;
  readonly output: OutputState;
  readonly outputPath: string | null;
  readonly epoch: number;
  readonly seq: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  /** Time spent running, without pauses. */
  readonly activeMs: number;
  /** When the task was last rebuilt from its journal, the browser having lost its database; absent when never. */
  readonly rebuiltMs?: number;
  /** What the person knew of when the work last went on despite failures; absent when it never stopped for them. */
  readonly failuresSeen?: FailuresSeen;
  /** The task and the point of its past that this one began with; absent for a task that began by itself. */
  readonly forkedFrom?: ForkOrigin;
  /** That it came from a file, or is a fork of a task that did; absent for all others. */
  readonly imported?: ImportOrigin;
  /** Times that an owner ended while it was running the task; absent when never. */
  readonly interruptions?: number;
  /** As of the last result that was saved; absent before any answer was written down while it came in. */
  readonly atRisk?: TokensAtRisk;
  /** `activeMs` from which the deadline counts; absent is 0. */
  readonly deadlineFromMs?: number;
  /** What interruptions of answers did not cost; absent for nothing. */
  readonly saved?: Saved;
}

/** What an interruption could lose of answers that are coming in: at most that many tokens, estimated. */
export interface TokensAtRisk {
  readonly tokens: number;
  /** How often unfinished answers are written down, in milliseconds. */
  readonly flushMs: number;
}

/** What of a task the person had before them when they asked for something: it may be old by the time it is heard. */
export type Shown = Pick<TaskRow, 'epoch' | 'status'>;

/** What a running task is busy with. */
export type TaskStage = 'files' | 'merging' | 'reporting';
