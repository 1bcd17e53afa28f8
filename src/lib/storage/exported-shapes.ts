/**
 * What every row of an exported task must be. Rows that this app stored itself are looked at lightly; a file can say
 * anything, so nothing in it is believed that is not checked here.
 */
import * as v from 'valibot';
import { ACTIVITY_KINDS } from '../core/activity';
import { EFFECT_STATES } from '../core/effect';
import { BUILT_IN, type TaskId } from '../core/ids';
import { FAILURE_CODES } from '../core/failure-codes';
import { id, isConfined, name, number, path, target, text, timeMs, whole } from './exported-fields';
import type { StepType } from '../core/step';
import { folderShape, savedShape, storedFailure, taskShape } from './row-shapes';

const code = v.picklist(FAILURE_CODES);
const usage = v.looseObject({ promptTokens: number, completionTokens: number, estimated: v.boolean() });
/** There is one sample folder, and it has a name for an id. */
const folderId = v.union([id, v.literal('sample')]);
const counts = v.looseObject({
  planned: whole,
  running: whole,
  done: whole,
  reused: whole,
  failed: whole,
  skipped: whole,
});

const stepShape = (taskId: TaskId) =>
  v.pipe(
    v.looseObject({
      v: v.literal(1),
      taskId: v.literal(taskId),
      key: name,
      type: v.picklist(['file', 'part', 'merge', 'section']),
      status: v.picklist(['pending', 'running', 'done', 'failed', 'skipped']),
      seq: whole,
      addedSeq: v.optional(whole),
      file: v.nullable(v.looseObject({ path, sizeBytes: whole, modifiedMs: timeMs, digest: v.nullable(text) })),
      inputs: v.array(text),
      level: whole,
      inputHash: v.nullable(text),
      resultKey: v.nullable(name),
      excerpt: text,
      outputTokens: number,
      attempts: whole,
      history: v.array(
        v.looseObject({
          startedMs: timeMs,
          durationMs: number,
          outcome: v.picklist(['done', 'failed', 'skipped', 'interrupted', 'waited']),
          code: v.nullable(code),
        }),
      ),
      failure: v.nullable(storedFailure),
      flags: v.looseObject({ reused: v.boolean(), truncated: v.boolean(), guessedEncoding: v.boolean() }),
      usage,
      durationMs: number,
      finishedMs: v.nullable(timeMs),
      requests: whole,
      reading: v.nullable(v.looseObject({ format: text, encoding: text, characters: whole, parts: whole })),
      saved: v.optional(savedShape),
      suspicion: v.optional(
        v.looseObject({
          deaths: whole,
          crashes: whole,
          outages: whole,
          answered: whole,
          isServerSound: v.boolean(),
        }),
      ),
    }),
    v.check(({ type, file, key }) => isNamedRight(type, file?.path ?? '', key), 'a key of another step'),
    v.check(({ status, resultKey }) => status !== 'done' || resultKey !== null, 'done without a result'),
  );

/** A file's step is named by its path, a part by its file or merge and a number, others by what goes in. */
function isNamedRight(type: StepType, path: string, key: string): boolean {
  if (type === 'file') return key === `file/${path}`;
  return key.startsWith(`${type}/`) && isConfined(key) && (type !== 'part' || /#\d+$/.test(key));
}

const resultShape = v.pipe(
  v.looseObject({
    v: v.literal(1),
    key: name,
    reusable: v.boolean(),
    output: text,
    finishReason: v.picklist(['stop', 'length', 'tool_calls', 'content_filter']),
    usage,
    model: text,
    createdMs: timeMs,
    lastUsedMs: timeMs,
  }),
  v.check(({ reusable, finishReason }) => !reusable || finishReason === 'stop', 'a whole answer that was cut'),
);

const activityShape = (taskId: TaskId) =>
  v.looseObject({
    v: v.literal(1),
    taskId: v.literal(taskId),
    seq: whole,
    n: whole,
    atMs: timeMs,
    what: v.picklist(ACTIVITY_KINDS),
    details: v.record(text, v.union([text, number])),
    failure: v.nullable(storedFailure),
  });

const effectShape = (taskId: TaskId) =>
  v.looseObject({
    v: v.literal(1),
    taskId: v.literal(taskId),
    key: name,
    seq: whole,
    kind: name,
    stepKey: v.nullable(text),
    target,
    nth: whole,
    before: v.nullable(text),
    after: text,
    found: v.nullable(text),
    state: v.picklist(EFFECT_STATES),
    result: v.nullable(text),
    intendedMs: timeMs,
    settledMs: v.nullable(timeMs),
  });

const checkpointShape = (taskId: TaskId) =>
  v.looseObject({
    v: v.literal(1),
    taskId: v.literal(taskId),
    seq: whole,
    epoch: whole,
    atMs: timeMs,
    status: taskShape.entries.status,
    reason: taskShape.entries.reason,
    stage: taskShape.entries.stage,
    counts,
    replaced: v.array(stepShape(taskId)),
  });

const taskRowShape = (taskId: TaskId) =>
  v.looseObject({
    ...taskShape.entries,
    id: v.literal(taskId),
    folderId,
    endpointId: v.union([id, v.literal(BUILT_IN)]),
    counts,
    outputPath: v.nullable(target),
    epoch: whole,
    seq: whole,
    createdMs: timeMs,
    updatedMs: timeMs,
    startedMs: v.nullable(timeMs),
    finishedMs: v.nullable(timeMs),
    rebuiltMs: v.optional(timeMs),
    hold: v.nullable(v.looseObject({ code, untilMs: timeMs })),
    recovery: v.nullable(v.looseObject({ ...taskShape.entries.recovery.wrapped.entries, atMs: timeMs })),
    forkedFrom: v.optional(
      v.looseObject({ ...taskShape.entries.forkedFrom.wrapped.entries, taskId: id, seq: whole, atMs: timeMs }),
    ),
  });

/** By the table that a row is of. */
export type ExportedShapes = Readonly<Record<string, v.GenericSchema>>;

/** Rows of the task `taskId` alone; a row of another task is none of them. */
export function exportedShapes(taskId: TaskId): ExportedShapes {
  return {
    tasks: taskRowShape(taskId),
    folders: v.looseObject({ ...folderShape.entries, id: folderId, createdMs: timeMs, lastUsedMs: timeMs }),
    steps: stepShape(taskId),
    results: resultShape,
    activity: activityShape(taskId),
    effects: effectShape(taskId),
    checkpoints: checkpointShape(taskId),
  };
}
