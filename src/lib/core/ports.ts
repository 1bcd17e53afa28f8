/**
 * What the engine and the jobs need from outside. Adapters implement these; tests give fakes. Every method that can
 * fail in an expected way returns a `Result`; an aborted signal rejects with `AbortError`.
 */
import type { ActivityRow } from './activity';
import type { BreakerRow } from './breaker';
import type { CheckpointRow } from './checkpoint';
import type { Commit } from './commit';
import type { EffectRow, EffectState } from './effect';
import type { EndpointFound, EndpointRow } from './endpoint';
import type { ExtractedText, TextPart } from './extraction';
import type { Failure } from './failure';
import type { FileEntry, FolderProblem, FolderRow } from './folder';
import type { ContentDigest, EffectKey, EndpointId, FolderId, InputHash, ResultKey, StepKey, TaskId } from './ids';
import type { EndpointLearned } from './learned';
import type { LeaseRow } from './lease';
import type { Completion, EarlierTimeouts, ModelRequest, RequestClocks } from './model';
import type { Begun, PartialRow } from './partial';
import type { Result } from './result';
import type { ResultRow } from './results';
import type { StepRow, StepStatus, StepType } from './step';
import type { TaskRow } from './task';

export interface Clock {
  /** Wall clock, Unix milliseconds. For showing and for expiry in days; never for durations. */
  now(): number;
  /** Never goes back. For every duration and delay. */
  monotonicMs(): number;
  /** Resolves after `delayMs`; rejects with `AbortError` when the signal fires first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Uniform in [0, 1). Injected so that jitter is repeatable in tests. */
export type Random = () => number;

export interface Digest {
  /** SHA-256 of the bytes; above 4 MiB, SHA-256 over the concatenated digests of 4 MiB chunks. */
  bytes(bytes: Uint8Array<ArrayBuffer>): Promise<ContentDigest>;
  /** SHA-256 of the UTF-8 form. */
  text(text: string): Promise<InputHash>;
}

/** Everything that must survive. Implementations pass `checkpoint-store.conformance.ts`. */
export interface CheckpointStore {
  /**
   * Made twice with the same fields, as after an answer that never came, it is one task.
   * `task_missing` for a fork that has yet to copy from a task that is gone.
   */
  createTask(task: TaskRow, folder: FolderRow): Promise<Result<void>>;
  /** `row_unreadable`/`row_from_newer_version` when the row is not one of ours; the others stay readable. */
  task(id: TaskId): Promise<Result<TaskRow | null>>;
  /** Every readable task, newest first. */
  tasks(): Promise<Result<readonly TaskRow[]>>;
  /** Takes the task over: epoch + 1, durably. Any commit of an older epoch is refused from then on. */
  own(id: TaskId, atMs: number): Promise<Result<TaskRow>>;
  /** The owner is done with the task: what was held open for it may be let go. */
  release(id: TaskId): Promise<void>;
  /** The only way a task's rows change. `fenced` when the epoch is not the task's any more. Resolves to the row after it. */
  commit(commit: Commit): Promise<Result<TaskRow>>;

  /** The owner's sign of life: the task's lease grows by one beat. `fenced` when the epoch is not the task's any more. */
  beat(id: TaskId, epoch: number): Promise<Result<void>>;
  /** Null for a task that nobody ever owned. */
  lease(id: TaskId): Promise<Result<LeaseRow | null>>;

  step(id: TaskId, key: StepKey): Promise<Result<StepRow | null>>;
  /** In the order asked, null where there is none. */
  steps(id: TaskId, keys: readonly StepKey[]): Promise<Result<readonly (StepRow | null)[]>>;
  /** Up to `limit` steps in that status, in key order, from an index: the cost does not depend on the task's size. */
  stepsByStatus(id: TaskId, status: StepStatus, limit: number): Promise<Result<readonly StepRow[]>>;
  /** Up to `limit` steps in key order after `after`, of keys starting with `<type>/`. Walk pages with the last key. */
  stepsOfType(id: TaskId, type: StepType, after: StepKey | null, limit: number): Promise<Result<readonly StepRow[]>>;
  /** Steps written by commits after `seq`, oldest first, up to `limit`; a commit is never split, so a page may be longer. */
  stepsSince(id: TaskId, seq: number, limit: number): Promise<Result<readonly StepRow[]>>;

  result(key: ResultKey): Promise<Result<ResultRow | null>>;
  results(keys: readonly ResultKey[]): Promise<Result<readonly (ResultRow | null)[]>>;
  /** Newest first, up to `limit`. */
  activity(id: TaskId, limit: number): Promise<Result<readonly ActivityRow[]>>;

  effect(id: TaskId, key: EffectKey): Promise<Result<EffectRow | null>>;
  /** Up to `limit` effects in that state, in key order, from an index. */
  effectsInState(id: TaskId, state: EffectState, limit: number): Promise<Result<readonly EffectRow[]>>;

  /**
   * Keeps text of answers that are still coming in, over what was kept of the same requests. No checkpoint and no seq:
   * losing it loses tokens, never work. `fenced` when the epoch is not the task's any more.
   */
  putPartials(id: TaskId, epoch: number, partials: readonly PartialRow[]): Promise<Result<void>>;
  partial(id: TaskId, request: ResultKey): Promise<Result<PartialRow | null>>;
  partials(id: TaskId): Promise<Result<readonly PartialRow[]>>;

  /** Newest first, up to `limit`, of those with a seq below `before`; null begins at the newest. */
  checkpoints(id: TaskId, before: number | null, limit: number): Promise<Result<readonly CheckpointRow[]>>;

  folder(id: FolderId): Promise<Result<FolderRow | null>>;
  putFolder(folder: FolderRow): Promise<Result<void>>;
  /**
   * Deletes the task, its steps and activity; results and folders that no task needs any more go too. With `epoch`,
   * `fenced` when the task has another by now, or a fork that still copies from it: somebody has taken it up, or begun the
   * fork, since whoever deletes it looked.
   */
  removeTask(id: TaskId, epoch?: number): Promise<Result<Removal>>;
  /**
   * Deletes results that no row of any task uses, its past included, those first that were used least lately, until about
   * `wantedBytes` are free or none is left.
   */
  freeUnused(wantedBytes: number, nowMs: number): Promise<Result<Freed>>;
}

/** Results that went to make room, and about how much they held. */
export interface Freed {
  readonly results: number;
  readonly bytes: number;
}

export interface Removal {
  /** Rows that went because no task is left that needs them; copies kept of a `snapshot` can be deleted now. */
  readonly removedFolders: readonly FolderRow[];
}

/** Endpoint profiles and settings: changed by the person, read by tasks. */
export interface ProfileStore {
  endpoints(): Promise<Result<readonly EndpointRow[]>>;
  endpoint(id: EndpointId): Promise<Result<EndpointRow | null>>;
  /** `key` replaces the stored key when given; null deletes it. It is encrypted before it is written. */
  putEndpoint(row: EndpointRow, key?: string | null): Promise<Result<void>>;
  /** Keeps what was found of an endpoint with its profile; nothing when that is another by now, or gone (`withFound`). */
  noteEndpoint(found: EndpointFound): Promise<Result<void>>;
  removeEndpoint(id: EndpointId): Promise<Result<void>>;
  /** The decrypted key, or null when the profile has none stored. `key_unavailable` when it cannot be decrypted. */
  endpointKey(id: EndpointId): Promise<Result<string | null>>;
  /** What is known of an endpoint that did not answer; null when nothing speaks against it. */
  breaker(id: EndpointId): Promise<Result<BreakerRow | null>>;
  putBreaker(row: BreakerRow): Promise<Result<void>>;
  removeBreaker(id: EndpointId): Promise<Result<void>>;
  /** What was learned of an endpoint by asking it; null for nothing, or nothing that can be read. */
  learned(id: EndpointId): Promise<Result<EndpointLearned | null>>;
  /** Nothing for an endpoint that is gone. */
  putLearned(learned: EndpointLearned): Promise<Result<void>>;
  settings(): Promise<Result<Settings>>;
  putSettings(patch: Partial<Settings>): Promise<Result<void>>;
}

export interface Settings {
  /** Days after which finished tasks are deleted; 0 keeps them for ever. @default 30 */
  readonly retentionDays: number;
}

export const DEFAULT_SETTINGS: Settings = { retentionDays: 30 };

export interface FolderFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `silent`: it did not answer in time. */
export type FolderAccess = 'ready' | 'needs_permission' | 'missing' | 'silent';

/** A folder of files. Paths are relative and `/`-separated. Writing is confined to `talaria/` inside it. */
export interface Folder {
  access(): Promise<FolderAccess>;
  /**
   * Every file below, in batches as found, names ignored by rule left out. Order is not defined. A place that cannot be
   * looked at is told to `onProblem` and the walk goes on. Throws `FailureError` with `folder_missing` or
   * `folder_permission` when the folder itself is out of reach: it is then unknown what is in it.
   */
  walk(signal: AbortSignal, onProblem?: (problem: FolderProblem) => void): AsyncIterable<readonly FileEntry[]>;
  /** `file_gone`, `file_unreadable`, `file_too_large`, `folder_permission`, `folder_missing`. */
  read(path: string, maxBytes: number): Promise<Result<FolderFile>>;
  /** Size and time of one file now; null when it is not there. */
  stat(path: string): Promise<Result<FileEntry | null>>;
  /** Whether `write` may work without asking the person. */
  canWrite(): Promise<boolean>;
  /** What `talaria/<path>` holds; null when nothing is there. `folder_permission`, `folder_missing`, `file_unreadable`. */
  readOutput(path: string): Promise<Result<Uint8Array<ArrayBuffer> | null>>;
  /** Replaces `talaria/<path>` whole; a reader never sees half a file. `path_refused` for anything that leads out. */
  write(path: string, content: string): Promise<Result<void>>;
}

export interface FolderOpener {
  open(row: FolderRow): Promise<Result<Folder>>;
}

/** Bytes to text. Skips come back as failures: `file_empty`, `file_binary`, `file_kind_unsupported`, `file_encoding_unknown`. */
export interface Extractor {
  /** `file_kind_unsupported` when the name alone tells that no reader is there for the file; it need not be read then. */
  refusal(path: string): Failure | null;
  extract(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Result<ExtractedText>>;
  /** Pieces of at most `maxTokens`, cut at paragraph, sentence, word ends. Joined in order they are the text. */
  split(text: string, maxTokens: number): readonly TextPart[];
  /** Tokens, estimated high rather than low; Chinese counts about one a character. */
  estimateTokens(text: string): number;
}

/** A model to ask. One per endpoint profile. */
export interface Model {
  /** Name that goes into the input hash: another model's answer is never taken for this one's. */
  readonly identity: string;
  /** Where its answers come from: what was learned of one source says nothing of another. Absent where there is but one. */
  readonly source?: string;
  readonly contextTokens: number | null;
  /** Tokens that it counts for each one of `Extractor.estimateTokens`, as far as is known; absent or null for unknown. */
  readonly tokenRatio?: number | null;
  /** Rejects with `AbortError` when the signal fires before the answer is whole; one that is whole is given all the same. */
  complete(request: ModelRequest, options: CompleteOptions): Promise<Result<Completion>>;
  /** Whether a request would be served now, cheaply. The failure says why not. */
  probe(signal: AbortSignal): Promise<Result<void>>;
}

export interface CompleteOptions {
  readonly signal: AbortSignal;
  /** @default DEFAULT_CLOCKS */
  readonly clocks?: RequestClocks;
  /** Tries of this request that ran out of time. @default NO_TIMEOUTS */
  readonly earlier?: EarlierTimeouts;
  /** Ends a stand in line as `signal` does; of no effect once the request has gone out. */
  readonly recall?: AbortSignal;
  /** Called when the request stands in line for the endpoint's own limits of a minute, with the time that it will take. */
  readonly onRateWait?: (delayMs: number) => void;
  /** Receives the whole visible text so far, for show. */
  readonly onText?: (text: string) => void;
  /** What an earlier try of the very same request left. @default null */
  readonly begun?: Begun | null;
  /** Receives what has come in so far, each time that more has: an interruption can be gone on from there. */
  readonly onBegun?: (begun: Begun) => void;
  /** Absent for a request whose stream no server need keep. */
  readonly stream?: StreamNaming;
}

/** What a server that keeps streams is to call that of a try. */
export interface StreamNaming {
  /** The same for the same try in another browser process, another for any other try. */
  readonly id: string;
  /** Names of streams that earlier tries may have left, likeliest first: they may go on without anybody who reads them. */
  readonly left: readonly string[];
  /** Asked after an abort: whether nobody will come back for the stream, so that the server need not go on. */
  readonly isUnwanted: () => boolean;
}

export interface ModelOpener {
  open(id: EndpointId): Promise<Result<Model>>;
}

/** One holder per name over all tabs of the origin. */
export interface Locks {
  /**
   * Runs `work` while holding the lock; waits for it as long as the signal lets. `lost` fires when another steals the
   * lock; the work should end then, and the promise settles as the work does. `steal` waits for nobody and takes the lock
   * from its holder, who may be frozen and learn of it late.
   */
  hold<T>(
    name: string,
    signal: AbortSignal,
    work: (lost: AbortSignal) => Promise<T>,
    options?: { readonly steal: boolean },
  ): Promise<T>;
}

/** What the device says of the network; `onChange` listeners are called on every change. */
export interface Network {
  readonly online: boolean;
  onChange(listener: () => void): () => void;
}

/** Called with the text streaming right now; nothing depends on it arriving. */
export type LiveText = (taskId: TaskId, key: StepKey, text: string) => void;
