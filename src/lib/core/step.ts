import type { Failure } from './failure';
import type { ContentDigest, InputHash, ResultKey, StepKey, TaskId } from './ids';
import type { Saved } from './saved';
import type { Usage } from './usage';

/**
 * One unit of a task, saved once. `file` is a file of the folder; `part` a piece of a long file (kept as evidence and
 * for reuse, never scheduled by itself); `merge` a node of the report tree; `section` a section of the report.
 */
export type StepType = 'file' | 'part' | 'merge' | 'section';
export type StepStatus = 'pending' | 'running' | 'done' | 'failed' | 'skipped';

/** Legal moves. `done → pending` happens only when the input changed; `failed`/`skipped → pending` on retry or change. */
export const STEP_TRANSITIONS: Readonly<Record<StepStatus, readonly StepStatus[]>> = {
  pending: ['running', 'skipped', 'done'],
  running: ['pending', 'done', 'failed', 'skipped'],
  done: ['pending', 'skipped'],
  failed: ['pending', 'skipped'],
  skipped: ['pending'],
};

export function canStepMove(from: StepStatus, to: StepStatus): boolean {
  return from === to || STEP_TRANSITIONS[from].includes(to);
}

/** A file as the walk saw it. `digest` is null until the file has been read once. */
export interface FileFingerprint {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly digest: ContentDigest | null;
}

export interface StepFlags {
  /** The result came from an earlier, equal request. */
  readonly reused: boolean;
  /** The answer was cut at the output limit; kept for the person, never reused. */
  readonly truncated: boolean;
  /** The text's encoding was guessed, not told by a mark or by valid UTF-8. */
  readonly guessedEncoding: boolean;
  /** The server read a part of what it was sent only; kept for the person, never reused. Absent when it read it whole. */
  readonly inputCut?: boolean;
}

export const NO_FLAGS: StepFlags = { reused: false, truncated: false, guessedEncoding: false };

/** One try of a step, newest last; a row keeps at most `MAX_ATTEMPTS_KEPT`. */
export interface Attempt {
  readonly startedMs: number;
  readonly durationMs: number;
  readonly outcome: 'done' | 'failed' | 'skipped' | 'interrupted' | 'waited';
  readonly code: Failure['code'] | null;
}

export const MAX_ATTEMPTS_KEPT = 8;

/** What ended, several times in a row, while a step was worked on. Any try of it that comes to an outcome clears it. */
export interface Suspicion {
  /** Times in a row that the app ended with this step in hand, for whatever reason. */
  readonly deaths: number;
  /** Of these, times that only the worker died, as its page saw. */
  readonly crashes: number;
  /** Times that the server could not be reached any more after it had been sent this step's request. */
  readonly outages: number;
  /** Requests of the task that had been answered by the first of these outages. */
  readonly answered: number;
  /** By the last of them others had been answered, or hardly any were left: the server is sound but for this step. */
  readonly isServerSound: boolean;
}

export interface StepRow {
  readonly v: 1;
  readonly taskId: TaskId;
  readonly key: StepKey;
  readonly type: StepType;
  readonly status: StepStatus;
  /** The commit that last wrote this row. Set by the store. */
  readonly seq: number;
  /** The commit that added this row. Set by the store; absent in rows of the first version. */
  readonly addedSeq?: number;
  /** For `file` steps. */
  readonly file: FileFingerprint | null;
  /** For `merge`, `section` (the steps whose results go in) and `part` (its file). */
  readonly inputs: readonly StepKey[];
  /** Level in the report tree: 0 for files and parts. */
  readonly level: number;
  readonly inputHash: InputHash | null;
  readonly resultKey: ResultKey | null;
  /** First characters of the result, for lists. */
  readonly excerpt: string;
  /** Length of the result in tokens, estimated; what planning the report tree needs. */
  readonly outputTokens: number;
  /** Tries that counted. Waits and interruptions do not. */
  readonly attempts: number;
  readonly history: readonly Attempt[];
  readonly failure: Failure | null;
  readonly flags: StepFlags;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly finishedMs: number | null;
  /** Number of model requests that made this result (parts and merges of a long file included). */
  readonly requests: number;
  /** How the text was decoded and split, for the detail view; null before the file was read. */
  readonly reading: Reading | null;
  /** Absent for a step that nothing speaks against. */
  readonly suspicion?: Suspicion;
  /** What interruptions of its answers did not cost; absent for nothing. */
  readonly saved?: Saved;
}

export interface Reading {
  readonly format: string;
  readonly encoding: string;
  readonly characters: number;
  readonly parts: number;
}

export function isSettled(status: StepStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'skipped';
}

/** What was waited for or cut off teaches nothing about the step, so it is what is forgotten first. */
export function withAttempt(history: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const all = [...history, attempt];
  if (all.length <= MAX_ATTEMPTS_KEPT) return all;
  const forgotten = Math.max(
    0,
    history.findIndex(({ outcome }) => outcome === 'waited' || outcome === 'interrupted'),
  );
  return all.filter((_, index) => index !== forgotten);
}
