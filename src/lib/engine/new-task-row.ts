import { NO_COUNTS } from '../core/counts';
import type { FolderRow } from '../core/folder';
import type { EndpointId, TaskId } from '../core/ids';
import { NO_PACE, PLAN_DUE, type BatchOptions, type TaskRow } from '../core/task';
import { NO_USAGE } from '../core/usage';

interface NewTaskFields {
  readonly id: TaskId;
  /** @default the folder's, when it is blank */
  readonly name: string;
  readonly options: BatchOptions;
  readonly folder: FolderRow;
  readonly endpointId: EndpointId;
  readonly nowMs: number;
}

/** A task as it is before anybody owned it. */
export function newTaskRow({ id, name, options, folder, endpointId, nowMs }: NewTaskFields): TaskRow {
  return {
    v: 1,
    id,
    name: name.trim() === '' ? folder.name : name.trim(),
    kind: 'batch',
    options,
    folderId: folder.id,
    folderName: folder.name,
    endpointId,
    status: 'pending',
    reason: null,
    failure: null,
    hold: null,
    counts: NO_COUNTS,
    usage: NO_USAGE,
    requests: 0,
    reusedRequests: 0,
    pace: NO_PACE,
    plan: PLAN_DUE,
    recovery: null,
    contextTokens: null,
    stage: 'files',
    report: null,
    output: 'none',
    outputPath: null,
    epoch: 0,
    seq: 0,
    createdMs: nowMs,
    updatedMs: nowMs,
    startedMs: null,
    finishedMs: null,
    activeMs: 0,
  };
}
