import type { AgentApi, FolderSource } from '../lib/bridge/agent-api';
import { failure } from '../lib/core/failure';
import { unfinishedForkOf } from '../lib/core/fork-origin';
import type { FolderRow } from '../lib/core/folder';
import { BUILT_IN, folderId, taskId, type FolderId, type TaskId } from '../lib/core/ids';
import type { CheckpointStore, Clock, ProfileStore } from '../lib/core/ports';
import { fail, ok, type Result } from '../lib/core/result';
import { fork } from '../lib/engine/fork';
import { newTaskRow } from '../lib/engine/new-task-row';
import type { Supervisor } from '../lib/engine/supervisor';
import { fileResults } from '../lib/jobs/file-results';
import { csvHeader, csvLine } from '../lib/jobs/results-csv';
import { jsonlLine } from '../lib/jobs/results-jsonl';
import { checkedOptions, clampConcurrency } from './checked-options';
import type { ArmedFaults } from './armed-faults';

interface TaskCommandsOptions {
  readonly store: CheckpointStore;
  readonly profiles: Pick<ProfileStore, 'endpoint'>;
  readonly clock: Clock;
  readonly supervisor: Supervisor;
  readonly faults: ArmedFaults;
  readonly forgetFolders: (folders: readonly FolderRow[]) => Promise<void>;
  readonly sampleName: string;
}

type TaskCommands = Pick<
  AgentApi,
  | 'createTask'
  | 'forkTask'
  | 'continueTask'
  | 'pauseTask'
  | 'cancelTask'
  | 'retryFailed'
  | 'setConcurrency'
  | 'setEndpoint'
  | 'deleteTask'
  | 'writeOutput'
  | 'answerEffects'
  | 'rebindFolder'
  | 'exportTask'
>;

/** What the person can do with tasks. */
export function taskCommands(options: TaskCommandsOptions): TaskCommands {
  const { store, supervisor, clock } = options;
  return {
    async createTask(request) {
      const nowMs = clock.now();
      const folder = await folderRow(options, request.source, nowMs);
      if (!folder.ok) return folder;
      const task = newTaskRow({
        id: taskId(crypto.randomUUID()),
        name: request.name,
        options: checkedOptions(request.options),
        folder: folder.value,
        endpointId: request.endpointId,
        nowMs,
      });
      const made = await store.createTask(task, folder.value);
      if (!made.ok) return made;
      if (request.fault) options.faults.arm({ ...request.fault, taskId: task.id });
      await supervisor.command(task.id, 'continue');
      return ok(task.id);
    },
    continueTask: (id, seen) => supervisor.command(id, 'continue', seen),
    pauseTask: (id) => supervisor.command(id, 'pause'),
    cancelTask: (id) => supervisor.command(id, 'cancel'),
    retryFailed: (id) => supervisor.command(id, 'retry_failed'),
    writeOutput: (id) => supervisor.command(id, 'write_output'),
    answerEffects: (id, questions, answer) => supervisor.answer(id, { questions, answer }),
    setConcurrency: (id, concurrency) => supervisor.setConcurrency(id, clampConcurrency(concurrency)),
    async setEndpoint(id, endpointId) {
      const opened = endpointId === BUILT_IN ? ok(true) : await options.profiles.endpoint(endpointId);
      if (!opened.ok) return opened;
      if (opened.value === null) return fail(failure('endpoint_missing', { details: { endpoint: endpointId } }));
      return supervisor.setEndpoint(id, endpointId);
    },
    async forkTask({ parent, seq, changes }) {
      const made = await fork({ store, clock }, { id: taskId(crypto.randomUUID()), parent, seq, changes });
      if (!made.ok) return made;
      await supervisor.command(made.value.id, 'continue');
      return ok(made.value.id);
    },
    async deleteTask(id) {
      const isFree = await hasNoFork(store, id);
      if (!isFree.ok) return isFree;
      const removed = await supervisor.exclusively(id, async () => {
        const task = await store.task(id);
        // A row that cannot be read has no epoch that would tell anything, and is deleted all the same.
        return store.removeTask(id, task.ok ? task.value?.epoch : undefined);
      });
      if (!removed.ok) {
        const isStillFree = await hasNoFork(store, id);
        return isStillFree.ok ? removed : isStillFree;
      }
      await options.forgetFolders(removed.value.removedFolders);
      return ok();
    },
    async rebindFolder(id, handle) {
      const task = await store.task(id);
      if (!task.ok) return task;
      if (!task.value) return fail(failure('task_missing'));
      const folder = await store.folder(task.value.folderId);
      if (!folder.ok) return folder;
      const nowMs = clock.now();
      const bound = await store.putFolder({
        ...(folder.value ?? handleRow(task.value.folderId, handle, nowMs)),
        kind: 'handle',
        handle,
        name: handle.name,
        lastUsedMs: nowMs,
      });
      return bound.ok ? supervisor.command(id, 'continue') : bound;
    },
    async exportTask(id, format) {
      const task = await store.task(id);
      if (!task.ok) return task;
      if (!task.value) return fail(failure('task_missing'));
      const { fields } = task.value.options;
      const lines: string[] = format === 'csv' ? [csvHeader(fields)] : [];
      for await (const result of fileResults(store, task.value)) {
        lines.push(format === 'csv' ? csvLine(result, fields) : jsonlLine(result, fields));
      }
      const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson';
      return ok(new Blob(lines, { type }));
    },
  };
}

/** A fork that has begun and not ended to copy from the task needs it. */
async function hasNoFork(store: CheckpointStore, id: TaskId): Promise<Result<void>> {
  const tasks = await store.tasks();
  if (!tasks.ok) return tasks;
  const copying = unfinishedForkOf(tasks.value, id);
  return copying ? fail(failure('request_rejected', { details: { task: copying.name } })) : ok();
}

async function folderRow(
  { store, sampleName }: TaskCommandsOptions,
  source: FolderSource,
  nowMs: number,
): Promise<Result<FolderRow>> {
  switch (source.kind) {
    case 'handle':
      return ok(handleRow(folderId(crypto.randomUUID()), source.handle, nowMs));
    case 'sample':
      return ok({
        v: 1,
        id: folderId('sample'),
        kind: 'sample',
        name: sampleName,
        handle: null,
        createdMs: nowMs,
        lastUsedMs: nowMs,
      });
    case 'snapshot': {
      const kept = await store.folder(source.id);
      if (!kept.ok) return kept;
      return kept.value ? ok({ ...kept.value, lastUsedMs: nowMs }) : fail(failure('folder_missing'));
    }
  }
}

function handleRow(id: FolderId, handle: FileSystemDirectoryHandle, nowMs: number): FolderRow {
  return { v: 1, id, kind: 'handle', name: handle.name, handle, createdMs: nowMs, lastUsedMs: nowMs };
}
