/**
 * Reads for live queries: rows as they lie, each call at a cost that does not grow with the task. They throw what the
 * database throws; `storageFailure` says what it means.
 */
import Dexie from 'dexie';
import type { ActivityRow } from '../core/activity';
import type { CheckpointRow } from '../core/checkpoint';
import type { EffectRow, EffectState } from '../core/effect';
import type { EndpointRow } from '../core/endpoint';
import type { FolderRow } from '../core/folder';
import type { EffectKey, EndpointId, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { PartialRow } from '../core/partial';
import { DEFAULT_SETTINGS, type Settings } from '../core/ports';
import type { Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow, StepStatus, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import type { Database } from './database';
import { leftJournals } from './left-journals-idb';
import { oldestFirst } from './oldest-first';
import { endpointRow, folderRow, stringIn, taskRow } from './row-shapes';
import { typeRange } from './step-range';
import { sortTasks, type TaskList } from './task-list';

const MAX_WAITING = 1_000;

/** Every task: the readable ones newest first, the damaged ones and those with no more than a journal with the reason. */
export async function listTasks(database: Database): Promise<TaskList> {
  const [rows, left] = await Promise.all([database.tasks.toArray(), leftJournals(database)]);
  const { readable, quarantined } = sortTasks(rows);
  const there = new Set(rows.map((row) => stringIn(row, 'id')));
  return { readable, quarantined: [...quarantined, ...left.filter(({ id }) => !there.has(id))] };
}

/** `row_unreadable` and `row_from_newer_version` come as failures; a task that is not there as null. */
export async function readTask(database: Database, id: TaskId): Promise<Result<TaskRow | null>> {
  return taskRow(await database.tasks.get(id), id);
}

export async function readStep(database: Database, id: TaskId, key: StepKey): Promise<StepRow | null> {
  return (await database.steps.get([id, key])) ?? null;
}

export async function stepsByStatus(
  database: Database,
  id: TaskId,
  status: StepStatus,
  limit: number,
): Promise<StepRow[]> {
  return database.steps.where('[taskId+status]').equals([id, status]).limit(limit).toArray();
}

/** In key order, after `after`, of keys starting with `<type>/`. */
export async function stepsOfType(
  database: Database,
  id: TaskId,
  type: StepType,
  after: StepKey | null,
  limit: number,
): Promise<StepRow[]> {
  const { first, end } = typeRange(type);
  const low = after !== null && after > first ? after : first;
  return database.steps
    .where('[taskId+key]')
    .between([id, low], [id, end], low === first, false)
    .limit(limit)
    .toArray();
}

/**
 * Steps written by commits after `seq`, oldest first. A commit is never split: when its rows reach past `limit` all of
 * them come, so that the next page can start at the last row's seq.
 */
export async function stepsSince(database: Database, id: TaskId, seq: number, limit: number): Promise<StepRow[]> {
  const bySeq = database.steps.where('[taskId+seq]');
  const page = await bySeq.between([id, seq], [id, Dexie.maxKey], false, true).limit(limit).toArray();
  const last = page.at(-1);
  if (last === undefined || page.length < limit) return page;
  const whole = await database.steps.where('[taskId+seq]').equals([id, last.seq]).toArray();
  return [...page.filter((step) => step.seq < last.seq), ...whole];
}

export async function readResult(database: Database, key: ResultKey): Promise<ResultRow | null> {
  return (await database.results.get(key)) ?? null;
}

/** Newest first. */
export async function listActivity(database: Database, id: TaskId, limit: number): Promise<ActivityRow[]> {
  return database.activity
    .where('[taskId+seq+n]')
    .between([id, Dexie.minKey, Dexie.minKey], [id, Dexie.maxKey, Dexie.maxKey])
    .reverse()
    .limit(limit)
    .toArray();
}

export async function readEffect(database: Database, id: TaskId, key: EffectKey): Promise<EffectRow | null> {
  return (await database.effects.get([id, key])) ?? null;
}

export async function effectsInState(
  database: Database,
  id: TaskId,
  state: EffectState,
  limit: number,
): Promise<EffectRow[]> {
  return database.effects.where('[taskId+state]').equals([id, state]).limit(limit).toArray();
}

/** Effects that wait for the person, by what is asked of them. */
export interface WaitingEffects {
  readonly contested: readonly EffectRow[];
  readonly inDoubt: readonly EffectRow[];
}

/** At most a thousand of each: who answers them all is asked about the rest. */
export async function waitingEffects(database: Database, id: TaskId): Promise<WaitingEffects> {
  const [contested, inDoubt] = await Promise.all([
    effectsInState(database, id, 'contested', MAX_WAITING),
    effectsInState(database, id, 'in_doubt', MAX_WAITING),
  ]);
  return { contested, inDoubt };
}

export async function listPartials(database: Database, id: TaskId): Promise<PartialRow[]> {
  return database.partials.where('[taskId+request]').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray();
}

/** Newest first, of those with a seq below `before`. */
export async function listCheckpoints(
  database: Database,
  id: TaskId,
  before: number | null,
  limit: number,
): Promise<CheckpointRow[]> {
  return database.checkpoints
    .where('[taskId+seq]')
    .between([id, Dexie.minKey], [id, before ?? Dexie.maxKey], true, before === null)
    .reverse()
    .limit(limit)
    .toArray();
}

/** The readable ones, oldest first. */
export async function listEndpoints(database: Database): Promise<EndpointRow[]> {
  return oldestFirst(readable(await database.endpoints.toArray(), endpointRow));
}

export async function readEndpoint(database: Database, id: EndpointId): Promise<Result<EndpointRow | null>> {
  return endpointRow(await database.endpoints.get(id), id);
}

/** The readable ones, oldest first. */
export async function listFolders(database: Database): Promise<FolderRow[]> {
  return oldestFirst(readable(await database.folders.toArray(), folderRow));
}

export async function readFolder(database: Database, id: FolderId): Promise<Result<FolderRow | null>> {
  return folderRow(await database.folders.get(id), id);
}

/** Whether a removal was cut off in the middle. */
export async function hasRemovals(database: Database): Promise<boolean> {
  return (await database.removals.count()) > 0;
}

export async function readSettings(database: Database): Promise<Settings> {
  const days = (await database.settings.get('retentionDays'))?.value;
  return { retentionDays: isRetention(days) ? days : DEFAULT_SETTINGS.retentionDays };
}

function isRetention(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function readable<T>(rows: readonly unknown[], check: (row: unknown, id: string) => Result<T | null>): T[] {
  return rows.flatMap((row) => {
    const checked = check(row, stringIn(row, 'id'));
    return checked.ok && checked.value !== null ? [checked.value] : [];
  });
}
