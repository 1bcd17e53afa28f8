/**
 * What the page asks of the agent worker. The worker `satisfies` it; neither side imports the other. The page never
 * asks for state: it reads rows. Progress callbacks are for show while a call runs.
 */
import type { DoctorReport, ModelListing, ProbeReport } from '../core/doctor';
import type { EffectAnswer, EffectQuestion } from '../core/effect';
import type { EndpointSettings } from '../core/endpoint-settings';
import type { Endings } from '../core/endings';
import type { ExportSummary } from '../core/export-summary';
import type { FaultOrder } from '../core/fault-points';
import type { ForkChanges } from '../core/fork-origin';
import type { EndpointId, FolderId, StepKey, TaskId } from '../core/ids';
import type { FolderComparison, FolderPreview } from '../core/folder';
import type { BatchOptions, Shown } from '../core/task';
import type { Result } from '../core/result';
import type { Settings } from '../core/ports';

export type { FolderPreview, PreviewRow } from '../core/folder';
export type { DoctorReport, ModelListing, ProbeName, ProbeReport } from '../core/doctor';

export interface AgentApi {
  /** Answers at once; silence for 5 s means that the worker is dead. Tells how workers before ended. */
  ping(told: Endings): Promise<void>;
  /** Takes ownership of every task that should go on by itself, as locks come free. Call on start and on return. */
  watch(): Promise<void>;
  /** `online`/`offline` and focus never reach a worker: the page relays them. */
  networkChanged(online: boolean): Promise<void>;
  wake(): Promise<void>;
  /** The page was hidden or is about to be frozen: answers that are coming in are written down at once. */
  flushPartials(): Promise<void>;

  createTask(request: NewTask): Promise<Result<TaskId>>;
  /** A new task that begins with the state of another at a checkpoint. Failures: `task_missing`, `checkpoint_missing`, `folder_missing`. */
  forkTask(request: ForkOrder): Promise<Result<TaskId>>;
  /** `seen` is what the page showed: a task that has come to its end since is not run once more for it. */
  continueTask(id: TaskId, seen?: Shown): Promise<Result<void>>;
  pauseTask(id: TaskId): Promise<Result<void>>;
  cancelTask(id: TaskId): Promise<Result<void>>;
  retryFailed(id: TaskId): Promise<Result<void>>;
  /** Has it go on with another endpoint, from what is finished. Failure: `endpoint_missing`. */
  setEndpoint(id: TaskId, endpointId: EndpointId): Promise<Result<void>>;
  setConcurrency(id: TaskId, concurrency: number): Promise<Result<void>>;
  /** Refused with `request_rejected` while a fork still copies from it; details name the fork. */
  deleteTask(id: TaskId): Promise<Result<void>>;
  /** Writes the report and the results again, after the person allowed it. */
  writeOutput(id: TaskId): Promise<Result<void>>;
  /** What the person says of effects that wait for them: what was allowed is done, and a task that waits goes on.
   *  What has changed since the question that they saw stays asked. */
  answerEffects(id: TaskId, questions: readonly EffectQuestion[], answer: EffectAnswer): Promise<Result<void>>;
  /** Another handle for the same task: the folder was moved, or dropped again. */
  rebindFolder(id: TaskId, handle: FileSystemDirectoryHandle): Promise<Result<void>>;
  /**
   * What a task is that was exported whole; nothing of it is taken in. Failures: `import_unreadable`,
   * `import_from_newer_version`, `import_task_exists`.
   */
  lookIntoExport(file: Blob): Promise<Result<ExportSummary>>;
  /** Takes such a task in. It stands still until it is given its folder, and goes on with `endpointId`. Failures as above. */
  importTask(file: Blob, endpointId: EndpointId): Promise<Result<TaskId>>;
  exportTask(id: TaskId, format: 'csv' | 'jsonl'): Promise<Result<Blob>>;

  /** Walks a folder and reports what would be read, skipped, and why; ends early on `stopPreview`. */
  previewFolder(
    source: FolderSource,
    options: PreviewOptions,
    onProgress: (preview: FolderPreview) => void,
  ): Promise<Result<FolderPreview>>;
  stopPreview(): Promise<void>;
  /** Walks a folder as the task would and compares it with the task's files. Ended by a newer call and by `stopPreview`. */
  compareFolder(source: FolderSource, id: TaskId): Promise<Result<FolderComparison>>;
  /** Copies files into the browser's own storage, so that a resume needs nothing from the person. */
  keepSnapshot(
    name: string,
    files: readonly SnapshotFile[],
    onProgress: (copied: number) => void,
  ): Promise<Result<FolderId>>;
  stopSnapshot(): Promise<void>;

  saveEndpoint(request: EndpointDraft): Promise<Result<EndpointId>>;
  /** Another profile with all that this one has, its key included. Failure: `endpoint_missing`. */
  duplicateEndpoint(id: EndpointId, name: string): Promise<Result<EndpointId>>;
  /** Refused with `request_rejected` while an unfinished task uses it; details are its name as `task` and its `id`. */
  deleteEndpoint(id: EndpointId): Promise<Result<void>>;
  /** A key that is kept for this session only; the page gives it again to a new worker. */
  giveSessionKey(id: EndpointId, key: string): Promise<void>;
  listModels(draft: EndpointDraft): Promise<Result<readonly ModelListing[]>>;
  testEndpoint(draft: EndpointDraft, onProbe: (probe: ProbeReport) => void): Promise<DoctorReport>;

  /** Ends this worker in the middle of the task, at a moment drawn at random. False when another tab works on it, or nobody. */
  pullPlug(id: TaskId): Promise<boolean>;
  /** Makes one task fail once at a chosen point, to see what becomes of it. Forgotten with this worker. */
  armFault(order: FaultOrder): Promise<void>;

  saveSettings(patch: Partial<Settings>): Promise<Result<void>>;
  /** Subscribes to the text streaming right now. */
  onLiveText(listener: (id: TaskId, key: StepKey, text: string) => void): Promise<void>;
}

export type FolderSource =
  | { readonly kind: 'handle'; readonly handle: FileSystemDirectoryHandle }
  | { readonly kind: 'snapshot'; readonly id: FolderId }
  | { readonly kind: 'sample' };

export interface SnapshotFile {
  readonly path: string;
  readonly file: File;
}

export interface PreviewOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface NewTask {
  readonly name: string;
  readonly source: FolderSource;
  readonly options: BatchOptions;
  readonly endpointId: EndpointId;
  /** Armed before the task begins. @default none */
  readonly fault?: Omit<FaultOrder, 'taskId'>;
}

export interface ForkOrder {
  readonly parent: TaskId;
  readonly seq: number;
  readonly changes: ForkChanges;
}

export interface EndpointDraft {
  /** Null makes a new profile. */
  readonly id: EndpointId | null;
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Undefined leaves the key as it is where the address has the same origin, and removes it where not; so does an empty string. */
  readonly key?: string;
  readonly keepKey: 'stored' | 'session';
  /** What may not be set in it is left out. Undefined leaves them as they are. */
  readonly settings?: EndpointSettings;
}
