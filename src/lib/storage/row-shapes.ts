import * as v from 'valibot';
import { checkedSettings } from '../core/checked-settings';
import type { EndpointRow } from '../core/endpoint';
import { failure, type Failure } from '../core/failure';
import { isFailureCode } from '../core/failure-codes';
import type { FolderRow } from '../core/folder';
import { fail, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';

const text = v.string();
const count = v.pipe(v.number(), v.finite());
const timeMs = count;
const whole = v.pipe(v.number(), v.integer());
const orNull = <T extends v.GenericSchema>(schema: T) => v.nullable(schema);

export const storedFailure = v.looseObject({
  code: v.pipe(text, v.check(isFailureCode, 'unknown code')),
  kind: v.picklist(['timeout', 'context', 'tool', 'infrastructure', 'input', 'user']),
  verdict: v.picklist(['retry', 'wait', 'adapt', 'skip', 'ask', 'fail']),
  message: text,
  details: v.record(text, v.union([text, v.number()])),
});

export const savedShape = v.looseObject({ reattached: count, continued: count, tokens: count });

/** The version first: of a row from a newer app nothing else can be said. */
export const taskShape = v.looseObject({
  v: v.literal(1),
  id: text,
  name: text,
  kind: v.picklist(['batch']),
  options: v.looseObject({
    v: v.literal(1),
    template: v.picklist(['summary', 'question', 'classify', 'extract', 'translate']),
    fields: v.optional(
      v.array(
        v.looseObject({
          name: text,
          type: v.picklist(['text', 'number', 'yes_no', 'date', 'list']),
          description: text,
        }),
      ),
    ),
    instructions: text,
    language: v.picklist(['en', 'zh-CN']),
    include: v.array(text),
    exclude: v.array(text),
    concurrency: v.pipe(whole, v.minValue(1)),
    deadlineHours: v.optional(v.pipe(count, v.minValue(0))),
    failurePercent: v.optional(v.pipe(count, v.minValue(0), v.maxValue(100))),
  }),
  folderId: text,
  folderName: text,
  endpointId: text,
  status: v.picklist(['pending', 'running', 'paused', 'completed', 'failed', 'cancelled']),
  reason: orNull(v.picklist(['user', 'network', 'endpoint', 'permission', 'storage', 'approval', 'attention'])),
  failure: orNull(storedFailure),
  hold: orNull(v.looseObject({ code: v.pipe(text, v.check(isFailureCode, 'unknown code')), untilMs: timeMs })),
  counts: v.looseObject({
    planned: whole,
    running: whole,
    done: whole,
    reused: whole,
    failed: whole,
    skipped: whole,
  }),
  usage: v.looseObject({ promptTokens: count, completionTokens: count, estimated: v.boolean() }),
  requests: count,
  reusedRequests: count,
  pace: v.looseObject({ samples: count, meanMs: count, m2: count }),
  plan: v.looseObject({
    state: v.picklist(['due', 'walking', 'done']),
    seen: whole,
    added: whole,
    changed: whole,
    removed: whole,
    moved: whole,
    unchanged: whole,
  }),
  recovery: orNull(
    v.looseObject({ atMs: timeMs, settledBefore: count, repeated: count, inFlight: count, continuedTokens: count }),
  ),
  contextTokens: orNull(count),
  contextOf: v.optional(text),
  tokenRatio: v.optional(v.looseObject({ source: text, ratio: v.pipe(v.number(), v.minValue(1)) })),
  stage: v.picklist(['files', 'merging', 'reporting']),
  report: orNull(text),
  output: v.picklist(['none', 'due', 'written', 'refused', 'failed', 'waiting']),
  outputPath: orNull(text),
  epoch: v.pipe(whole, v.minValue(0)),
  seq: v.pipe(whole, v.minValue(0)),
  createdMs: timeMs,
  updatedMs: timeMs,
  startedMs: orNull(timeMs),
  finishedMs: orNull(timeMs),
  activeMs: count,
  rebuiltMs: v.optional(timeMs),
  interruptions: v.optional(whole),
  atRisk: v.optional(v.looseObject({ tokens: count, flushMs: count })),
  failuresSeen: v.optional(v.looseObject({ tried: whole, failed: whole })),
  forkedFrom: v.optional(
    v.looseObject({
      taskId: text,
      name: text,
      seq: whole,
      atMs: timeMs,
      keepsResults: v.boolean(),
      copying: orNull(v.looseObject({ type: text, after: orNull(text) })),
    }),
  ),
  imported: v.optional(v.looseObject({ id: text, atMs: timeMs })),
  deadlineFromMs: v.optional(count),
  saved: v.optional(savedShape),
});

export const folderShape = v.looseObject({
  v: v.literal(1),
  id: text,
  kind: v.picklist(['handle', 'snapshot', 'sample']),
  name: text,
  createdMs: timeMs,
  lastUsedMs: timeMs,
});

const endpointShape = v.looseObject({
  v: v.literal(1),
  id: text,
  name: text,
  baseUrl: text,
  model: text,
  key: v.picklist(['none', 'stored', 'session']),
  contextTokens: orNull(count),
  createdMs: timeMs,
  updatedMs: timeMs,
  lastCheck: orNull(v.looseObject({ atMs: timeMs, state: text, latencyMs: orNull(count) })),
});

/** What code would trip over. */
const capabilitiesShape = v.looseObject({ atMs: timeMs, server: text, lanes: v.array(text) });

/** `row_unreadable` names the first field that is wrong; `row_from_newer_version` the version found. Absent is null. */
export const taskRow = (row: unknown, id: string) => checked<TaskRow>(taskShape, 'tasks', row, id);
export const folderRow = (row: unknown, id: string) => checked<FolderRow>(folderShape, 'folders', row, id);

/** As the others; damaged settings are as if they were not set, and damaged findings are found out anew. */
export function endpointRow(row: unknown, id: string): Result<EndpointRow | null> {
  const found = checked<EndpointRow>(endpointShape, 'endpoints', row, id);
  if (!found.ok || found.value === null) return found;
  const { settings, capabilities, ...rest } = found.value;
  return ok({
    ...rest,
    ...(settings === undefined ? {} : { settings: checkedSettings(settings) }),
    ...(v.is(capabilitiesShape, capabilities) ? { capabilities } : {}),
  });
}

function checked<T>(schema: v.GenericSchema, table: string, row: unknown, id: string): Result<T | null> {
  if (row === undefined) return ok(null);
  const newer = newerVersion(table, row, id);
  if (newer !== null) return fail(newer);
  const parsed = v.safeParse(schema, row, { abortEarly: true });
  // The stored object itself goes on, with whatever fields it has: the parsed copy would cost and say no more.
  if (parsed.success) return ok(row as T);
  const field = v.getDotPath(parsed.issues[0]) ?? '';
  return fail(unreadable(table, id, field));
}

/** Steps and results come by the thousand: only what tells one of ours, and what code would trip over, is looked at. */
export function stepRows<T extends StepRow | undefined>(rows: readonly T[]): Result<readonly T[]> {
  return firstBad(rows, 'steps', stepFieldWrong, (row) => stringIn(row, 'key'));
}

export function resultRows<T extends ResultRow | undefined>(rows: readonly T[]): Result<readonly T[]> {
  return firstBad(rows, 'results', resultFieldWrong, (row) => stringIn(row, 'key'));
}

function firstBad<T>(
  rows: readonly T[],
  table: string,
  wrongField: (row: object) => string | null,
  idOf: (row: unknown) => string,
): Result<readonly T[]> {
  for (const row of rows) {
    if (row === undefined) continue;
    const newer = newerVersion(table, row, idOf(row));
    if (newer !== null) return fail(newer);
    const field = typeof row === 'object' && row !== null ? wrongField(row) : '';
    if (field !== null) return fail(unreadable(table, idOf(row), field));
  }
  return ok(rows);
}

function stepFieldWrong(row: Partial<StepRow>): string | null {
  if (row.v !== 1) return 'v';
  if (typeof row.status !== 'string') return 'status';
  if (typeof row.type !== 'string') return 'type';
  if (row.type === 'file' && typeof row.file?.path !== 'string') return 'file';
  if (!Array.isArray(row.inputs)) return 'inputs';
  if (!Array.isArray(row.history)) return 'history';
  if (typeof row.flags !== 'object') return 'flags';
  return null;
}

function resultFieldWrong(row: Partial<ResultRow>): string | null {
  if (row.v !== 1) return 'v';
  if (typeof row.output !== 'string') return 'output';
  return null;
}

function newerVersion(table: string, row: unknown, id: string): Failure | null {
  if (typeof row !== 'object' || row === null || !('v' in row)) return null;
  if (typeof row.v !== 'number' || !(row.v > 1)) return null;
  return failure('row_from_newer_version', { details: { table, id, version: row.v } });
}

function unreadable(table: string, id: string, field: string): Failure {
  return failure('row_unreadable', { message: `${table}: ${field} is not as expected`, details: { table, id, field } });
}

export function stringIn(row: unknown, field: string): string {
  if (typeof row !== 'object' || row === null) return '';
  const value: unknown = Reflect.get(row, field);
  return typeof value === 'string' ? value : '';
}
