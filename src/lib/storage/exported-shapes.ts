/**
 * What every row of an exported task must be. Rows that this app stored itself are looked at lightly; a file can say
 * anything, so nothing in it is believed that is not checked here.
 */
import * as v from 'valibot';
import { ACTIVITY_KINDS } from '../core/activity';
import { EFFECT_STATES } from '../core/effect';
import type { TaskId } from '../core/ids';
import { FAILURE_CODES } from '../core/failure-codes';
import { folderShape, storedFailure, taskShape } from './row-shapes';

const text = v.string();
const name = v.pipe(text, v.nonEmpty());
const number = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const code = v.picklist(FAILURE_CODES);
const usage = v.looseObject({ promptTokens: number, completionTokens: number, estimated: v.boolean() });
const counts = v.looseObject({
  planned: whole,
  running: whole,
  done: whole,
  reused: whole,
  failed: whole,
  skipped: whole,
});

/** A path within a folder: nothing that leads out of it. */
const path = v.pipe(
  text,
  v.check((value) => value.split('/').every((part) => !['', '.', '..'].includes(part)), 'a path that leads out'),
);

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
      file: v.nullable(v.looseObject({ path, sizeBytes: whole, modifiedMs: number, digest: v.nullable(text) })),
      inputs: v.array(text),
      level: whole,
      inputHash: v.nullable(text),
      resultKey: v.nullable(name),
      excerpt: text,
      outputTokens: number,
      attempts: whole,
      history: v.array(
        v.looseObject({
          startedMs: number,
          durationMs: number,
          outcome: v.picklist(['done', 'failed', 'skipped', 'interrupted', 'waited']),
          code: v.nullable(code),
        }),
      ),
      failure: v.nullable(storedFailure),
      flags: v.looseObject({ reused: v.boolean(), truncated: v.boolean(), guessedEncoding: v.boolean() }),
      usage,
      durationMs: number,
      finishedMs: v.nullable(number),
      requests: whole,
      reading: v.nullable(v.looseObject({ format: text, encoding: text, characters: whole, parts: whole })),
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
    v.check(({ type, file, key }) => type !== 'file' || key === `file/${file?.path ?? ''}`, 'a key of another file'),
    v.check(({ status, resultKey }) => status !== 'done' || resultKey !== null, 'done without a result'),
  );

const resultShape = v.looseObject({
  v: v.literal(1),
  key: name,
  reusable: v.boolean(),
  output: text,
  finishReason: v.picklist(['stop', 'length', 'tool_calls', 'content_filter']),
  usage,
  model: text,
  createdMs: number,
  lastUsedMs: number,
});

const activityShape = (taskId: TaskId) =>
  v.looseObject({
    v: v.literal(1),
    taskId: v.literal(taskId),
    seq: whole,
    n: whole,
    atMs: number,
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
    target: path,
    nth: whole,
    before: v.nullable(text),
    after: text,
    found: v.nullable(text),
    state: v.picklist(EFFECT_STATES),
    result: v.nullable(text),
    intendedMs: number,
    settledMs: v.nullable(number),
  });

const checkpointShape = (taskId: TaskId) =>
  v.looseObject({
    v: v.literal(1),
    taskId: v.literal(taskId),
    seq: whole,
    epoch: whole,
    atMs: number,
    status: taskShape.entries.status,
    reason: taskShape.entries.reason,
    stage: taskShape.entries.stage,
    counts,
    replaced: v.array(stepShape(taskId)),
  });

/** By the table that a row is of. */
export type ExportedShapes = Readonly<Record<string, v.GenericSchema>>;

/** Rows of the task `id` alone; a row of another task is none of them. */
export function exportedShapes(id: TaskId): ExportedShapes {
  return {
    tasks: v.looseObject({ ...taskShape.entries, id: v.literal(id) }),
    folders: folderShape,
    steps: stepShape(id),
    results: resultShape,
    activity: activityShape(id),
    effects: effectShape(id),
    checkpoints: checkpointShape(id),
  };
}
