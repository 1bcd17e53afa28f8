/** Valid rows for tests: every field has a plain value; name the ones that matter. */
import type { Commit, CommitDraft } from '../core/commit';
import { mergeDrafts } from '../core/commit';
import { NO_COUNTS } from '../core/counts';
import { DEFAULT_MODEL, type EndpointRow } from '../core/endpoint';
import type { FolderRow } from '../core/folder';
import type { EffectRow } from '../core/effect';
import { contentDigest, effectKey, endpointId, fileStepKey, folderId, resultKey, taskId } from '../core/ids';
import type { PartialRow } from '../core/partial';
import type { ResultRow } from '../core/results';
import { NO_FLAGS, type StepRow } from '../core/step';
import { DEFAULT_CONCURRENCY, NO_PACE, PLAN_DUE, type BatchOptions, type TaskRow } from '../core/task';
import { NO_USAGE } from '../core/usage';

export const SAMPLE_TIME_MS = Date.UTC(2026, 0, 15, 9);

export function sampleOptions(fields: Partial<BatchOptions> = {}): BatchOptions {
  return {
    v: 1,
    template: 'summary',
    instructions: '',
    language: 'en',
    include: [],
    exclude: [],
    concurrency: DEFAULT_CONCURRENCY,
    ...fields,
  };
}

export function sampleTask(fields: Partial<TaskRow> = {}): TaskRow {
  return {
    v: 1,
    id: taskId('task-1'),
    name: 'Interviews',
    kind: 'batch',
    options: sampleOptions(),
    folderId: folderId('folder-1'),
    folderName: 'interviews',
    endpointId: endpointId('endpoint-1'),
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
    createdMs: SAMPLE_TIME_MS,
    updatedMs: SAMPLE_TIME_MS,
    startedMs: null,
    finishedMs: null,
    activeMs: 0,
    ...fields,
  };
}

/** A `file` step of the given path. */
export function sampleStep(path = 'a.txt', fields: Partial<StepRow> = {}): StepRow {
  return {
    v: 1,
    taskId: taskId('task-1'),
    key: fileStepKey(path),
    type: 'file',
    status: 'pending',
    seq: 0,
    file: { path, sizeBytes: 12, modifiedMs: SAMPLE_TIME_MS, digest: null },
    inputs: [],
    level: 0,
    inputHash: null,
    resultKey: null,
    excerpt: '',
    outputTokens: 0,
    attempts: 0,
    history: [],
    failure: null,
    flags: NO_FLAGS,
    usage: NO_USAGE,
    durationMs: 0,
    finishedMs: null,
    requests: 0,
    reading: null,
    ...fields,
  };
}

export function sampleResult(key = 'result-1', fields: Partial<ResultRow> = {}): ResultRow {
  return {
    v: 1,
    key: resultKey(key),
    reusable: true,
    output: `Output of ${key}.`,
    finishReason: 'stop',
    usage: { promptTokens: 100, completionTokens: 20, estimated: false },
    model: DEFAULT_MODEL,
    createdMs: SAMPLE_TIME_MS,
    lastUsedMs: SAMPLE_TIME_MS,
    ...fields,
  };
}

/** An intended write of `talaria/<key>.md`. */
export function sampleEffect(key = 'effect-1', fields: Partial<EffectRow> = {}): EffectRow {
  return {
    v: 1,
    taskId: taskId('task-1'),
    key: effectKey(key),
    seq: 0,
    kind: 'folder_write',
    stepKey: null,
    target: `${key}.md`,
    nth: 1,
    before: null,
    after: contentDigest('00'),
    found: null,
    result: null,
    state: 'intended',
    intendedMs: SAMPLE_TIME_MS,
    settledMs: null,
    ...fields,
  };
}

export function samplePartial(request = 'request-1', fields: Partial<PartialRow> = {}): PartialRow {
  return {
    v: 1,
    taskId: taskId('task-1'),
    request: resultKey(request),
    stepKey: fileStepKey('a.txt'),
    text: 'The',
    tokens: 1,
    updatedMs: SAMPLE_TIME_MS,
    ...fields,
  };
}

export function sampleFolder(fields: Partial<FolderRow> = {}): FolderRow {
  return {
    v: 1,
    id: folderId('folder-1'),
    kind: 'snapshot',
    name: 'interviews',
    handle: null,
    createdMs: SAMPLE_TIME_MS,
    lastUsedMs: SAMPLE_TIME_MS,
    ...fields,
  };
}

export function sampleEndpoint(fields: Partial<EndpointRow> = {}): EndpointRow {
  return {
    v: 1,
    id: endpointId('endpoint-1'),
    name: 'Local Hermes',
    baseUrl: 'http://127.0.0.1:8000/v1',
    model: DEFAULT_MODEL,
    key: 'none',
    contextTokens: null,
    createdMs: SAMPLE_TIME_MS,
    updatedMs: SAMPLE_TIME_MS,
    lastCheck: null,
    ...fields,
  };
}

/** The commit of a draft to a task at its present epoch, one second after its last change. */
export function sampleCommit(task: TaskRow, draft: CommitDraft = {}): Commit {
  return { taskId: task.id, epoch: task.epoch, atMs: task.updatedMs + 1_000, ...mergeDrafts([draft]) };
}
