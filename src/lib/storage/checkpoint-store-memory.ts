import type { ActivityRow } from '../core/activity';
import type { CheckpointRow } from '../core/checkpoint';
import type { Commit } from '../core/commit';
import type { EffectRow, EffectState } from '../core/effect';
import { failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import { copiedFrom, unfinishedForkOf } from '../core/fork-origin';
import type { EffectKey, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { LeaseRow } from '../core/lease';
import type { PartialRow } from '../core/partial';
import type { Freed, Removal } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow, StepStatus, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import { checkOwner, commitRows } from './commit-rows';
import type { JournaledCommit } from './journal/chain';
import { sizeOf } from './free-results';
import { redoRows } from './journal/redo-rows';
import type { RestorableStore, RestoredRows } from './journal/restorable-store';
import { taskExists, type WholeTask } from './import-task';
import { lastUseMs, usedAt } from './put-results';
import { isSameTask } from './same-task';
import { typeRange } from './step-range';
import { sortTasks } from './task-list';

/** Checkpoints that last as long as the object: for tests and demonstrations. Rows are copied on their way in and out. */
export class MemoryCheckpointStore implements RestorableStore {
  readonly #tasks = new Map<TaskId, TaskRow>();
  readonly #steps = new Map<TaskId, Map<StepKey, StepRow>>();
  readonly #results = new Map<ResultKey, ResultRow>();
  readonly #activity = new Map<TaskId, ActivityRow[]>();
  readonly #folders = new Map<FolderId, FolderRow>();
  readonly #effects = new Map<TaskId, Map<EffectKey, EffectRow>>();
  readonly #partials = new Map<TaskId, Map<ResultKey, PartialRow>>();
  readonly #checkpoints = new Map<TaskId, Map<number, CheckpointRow>>();
  readonly #leases = new Map<TaskId, LeaseRow>();

  async createTask(task: TaskRow, folder: FolderRow): Promise<Result<void>> {
    if (isSameTask(this.#tasks.get(task.id), task)) return ok();
    if (this.#tasks.has(task.id)) throw new Error(`task ${task.id} exists`);
    const from = copiedFrom(task);
    if (from !== null && !this.#tasks.has(from)) return fail(failure('task_missing', { details: { task: from } }));
    this.#tasks.set(task.id, structuredClone(task));
    return this.putFolder(folder);
  }

  async task(id: TaskId): Promise<Result<TaskRow | null>> {
    return ok(structuredClone(this.#tasks.get(id) ?? null));
  }

  async tasks(): Promise<Result<readonly TaskRow[]>> {
    return ok(structuredClone(sortTasks([...this.#tasks.values()]).readable));
  }

  async own(id: TaskId, atMs: number): Promise<Result<TaskRow>> {
    const found = this.#tasks.get(id);
    if (found === undefined) return fail(failure('task_missing', { details: { task: id } }));
    const owned: TaskRow = { ...found, epoch: found.epoch + 1, updatedMs: atMs };
    this.#tasks.set(id, owned);
    return ok(structuredClone(owned));
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  async restoreRows(id: TaskId, rows: RestoredRows, seq: number): Promise<Result<void>> {
    if (!this.#isAsFar(id, seq)) this.#putRows(id, rows);
    return ok();
  }

  async restoreTask(task: TaskRow, folder: FolderRow | null): Promise<Result<void>> {
    if (this.#isAsFar(task.id, task.seq)) return ok();
    this.#tasks.set(task.id, structuredClone(task));
    if (folder !== null && !this.#folders.has(folder.id)) this.#folders.set(folder.id, { ...folder });
    return ok();
  }

  async addTask(whole: WholeTask): Promise<Result<void>> {
    const { task, folder } = whole;
    if (this.#tasks.has(task.id)) return fail(taskExists(whole));
    this.#putRows(task.id, whole);
    return this.restoreTask(task, folder);
  }

  #isAsFar(id: TaskId, seq: number): boolean {
    return (this.#tasks.get(id)?.seq ?? -1) >= seq;
  }

  #putRows(id: TaskId, rows: RestoredRows): void {
    const { steps, removedSteps = [], results, activity } = structuredClone(rows);
    this.#putPast(id, structuredClone(rows));
    const stored = mapOf(this.#steps, id);
    for (const key of removedSteps) stored.delete(key);
    for (const step of steps) stored.set(step.key, step);
    for (const result of results) if (!this.#kept(result)) this.#results.set(result.key, result);
    const lines = new Map(
      [...(this.#activity.get(id) ?? []), ...activity].map((line) => [`${line.seq}/${line.n}`, line]),
    );
    this.#activity.set(
      id,
      [...lines.values()].sort((a, b) => a.seq - b.seq || a.n - b.n),
    );
  }

  #putPast(id: TaskId, { effects = [], checkpoints = [], settledPartials = [] }: Partial<RestoredRows>): void {
    for (const effect of effects) mapOf(this.#effects, id).set(effect.key, effect);
    for (const checkpoint of checkpoints) mapOf(this.#checkpoints, id).set(checkpoint.seq, checkpoint);
    for (const request of settledPartials) mapOf(this.#partials, id).delete(request);
  }

  async redo(id: TaskId, commits: readonly JournaledCommit[]): Promise<Result<TaskRow>> {
    const found = this.#tasks.get(id);
    if (found === undefined) return fail(failure('task_missing', { details: { task: id } }));
    const redone = redoRows(found, structuredClone(commits));
    if (!redone.ok) return redone;
    this.#putRows(id, redone.value);
    this.#tasks.set(id, redone.value.task);
    return ok(structuredClone(redone.value.task));
  }

  async commit(commit: Commit): Promise<Result<TaskRow>> {
    const found = this.#tasks.get(commit.taskId) ?? null;
    const rows = commitRows(found, structuredClone(commit));
    if (!rows.ok) return rows;
    const { task, steps, removedSteps, activity, effects, checkpoint } = rows.value;
    const { settledPartials } = commit;
    this.#putPast(task.id, { effects, settledPartials, checkpoints: checkpoint ? [structuredClone(checkpoint)] : [] });
    const stored = mapOf(this.#steps, task.id);
    for (const key of removedSteps) stored.delete(key);
    for (const step of steps) stored.set(step.key, step);
    for (const result of commit.results) {
      const kept = this.#kept(result);
      this.#results.set(result.key, kept ? usedAt(kept, commit.atMs) : structuredClone(result));
    }
    this.#activity.set(task.id, [...(this.#activity.get(task.id) ?? []), ...activity]);
    this.#tasks.set(task.id, task);
    return ok(structuredClone(task));
  }

  async beat(id: TaskId, epoch: number): Promise<Result<void>> {
    const owned = checkOwner(this.#tasks.get(id) ?? null, id, epoch);
    if (!owned.ok) return owned;
    this.#leases.set(id, { v: 1, id, epoch, beat: (this.#leases.get(id)?.beat ?? 0) + 1 });
    return ok();
  }

  async lease(id: TaskId): Promise<Result<LeaseRow | null>> {
    return ok(this.#leases.get(id) ?? null);
  }

  async effect(id: TaskId, key: EffectKey): Promise<Result<EffectRow | null>> {
    return ok(structuredClone(this.#effects.get(id)?.get(key) ?? null));
  }

  async effectsInState(id: TaskId, state: EffectState, limit: number): Promise<Result<readonly EffectRow[]>> {
    const found = [...(this.#effects.get(id)?.values() ?? [])].filter((effect) => effect.state === state);
    return ok(structuredClone(found.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit)));
  }

  async putPartials(id: TaskId, epoch: number, partials: readonly PartialRow[]): Promise<Result<void>> {
    const owned = checkOwner(this.#tasks.get(id) ?? null, id, epoch);
    if (!owned.ok) return owned;
    for (const partial of structuredClone(partials)) mapOf(this.#partials, id).set(partial.request, partial);
    return ok();
  }

  async partial(id: TaskId, request: ResultKey): Promise<Result<PartialRow | null>> {
    return ok(structuredClone(this.#partials.get(id)?.get(request) ?? null));
  }

  async partials(id: TaskId): Promise<Result<readonly PartialRow[]>> {
    const found = [...(this.#partials.get(id)?.values() ?? [])];
    return ok(structuredClone(found.sort((a, b) => (a.request < b.request ? -1 : 1))));
  }

  async checkpoints(id: TaskId, before: number | null, limit: number): Promise<Result<readonly CheckpointRow[]>> {
    const past = [...(this.#checkpoints.get(id)?.values() ?? [])].filter(({ seq }) => before === null || seq < before);
    return ok(structuredClone(past.sort((a, b) => b.seq - a.seq).slice(0, limit)));
  }

  async step(id: TaskId, key: StepKey): Promise<Result<StepRow | null>> {
    return ok(structuredClone(mapOf(this.#steps, id).get(key) ?? null));
  }

  async steps(id: TaskId, keys: readonly StepKey[]): Promise<Result<readonly (StepRow | null)[]>> {
    const stored = mapOf(this.#steps, id);
    return ok(keys.map((key) => structuredClone(stored.get(key) ?? null)));
  }

  async stepsByStatus(id: TaskId, status: StepStatus, limit: number): Promise<Result<readonly StepRow[]>> {
    return ok(structuredClone(this.#inKeyOrder(id, (step) => step.status === status).slice(0, limit)));
  }

  async stepsOfType(
    id: TaskId,
    type: StepType,
    after: StepKey | null,
    limit: number,
  ): Promise<Result<readonly StepRow[]>> {
    const { first, end } = typeRange(type);
    const inPage = ({ key }: StepRow) => key >= first && key < end && (after === null || key > after);
    return ok(structuredClone(this.#inKeyOrder(id, inPage).slice(0, limit)));
  }

  async stepsSince(id: TaskId, seq: number, limit: number): Promise<Result<readonly StepRow[]>> {
    const later = this.#inKeyOrder(id, (step) => step.seq > seq).sort((a, b) => a.seq - b.seq);
    const lastSeq = later[limit - 1]?.seq ?? Infinity;
    return ok(structuredClone(later.filter((step) => step.seq <= lastSeq)));
  }

  async result(key: ResultKey): Promise<Result<ResultRow | null>> {
    return ok(structuredClone(this.#results.get(key) ?? null));
  }

  async results(keys: readonly ResultKey[]): Promise<Result<readonly (ResultRow | null)[]>> {
    return ok(keys.map((key) => structuredClone(this.#results.get(key) ?? null)));
  }

  async activity(id: TaskId, limit: number): Promise<Result<readonly ActivityRow[]>> {
    return ok(structuredClone([...(this.#activity.get(id) ?? [])].reverse().slice(0, limit)));
  }

  /** A folder's handle cannot be copied outside a browser; the row around it is. */
  async folder(id: FolderId): Promise<Result<FolderRow | null>> {
    const folder = this.#folders.get(id);
    return ok(folder === undefined ? null : { ...folder });
  }

  async putFolder(folder: FolderRow): Promise<Result<void>> {
    this.#folders.set(folder.id, { ...folder });
    return ok();
  }

  async removeTask(id: TaskId, epoch?: number): Promise<Result<Removal>> {
    const task = this.#tasks.get(id);
    if (task === undefined) return ok({ removedFolders: [] });
    const isTaken = task.epoch !== epoch || unfinishedForkOf([...this.#tasks.values()], id);
    if (epoch !== undefined && isTaken) return fail(failure('fenced'));
    const candidates = [task.report, ...[...mapOf(this.#steps, id).values()].map((step) => step.resultKey)];
    this.#tasks.delete(id);
    const beside = [this.#activity, this.#effects, this.#partials, this.#checkpoints, this.#leases];
    for (const rows of [this.#steps, ...beside]) rows.delete(id);
    const used = this.#usedResults();
    for (const key of candidates) if (key !== null && !used.has(key)) this.#results.delete(key);
    const folder = this.#folders.get(task.folderId);
    const needed = [...this.#tasks.values()].some((other) => other.folderId === task.folderId);
    if (folder === undefined || needed) return ok({ removedFolders: [] });
    this.#folders.delete(folder.id);
    return ok({ removedFolders: [folder] });
  }

  async freeUnused(wantedBytes: number): Promise<Result<Freed>> {
    const used = this.#usedResults();
    const unused = [...this.#results.values()].filter(({ key }) => !used.has(key));
    let freed: Freed = { results: 0, bytes: 0 };
    for (const row of unused.sort((a, b) => lastUseMs(a) - lastUseMs(b))) {
      if (freed.bytes >= wantedBytes) break;
      this.#results.delete(row.key);
      freed = { results: freed.results + 1, bytes: freed.bytes + sizeOf(row) };
    }
    return ok(freed);
  }

  async tidy(resultsBeforeMs: number): Promise<Result<Removal>> {
    const used = this.#usedResults();
    for (const result of [...this.#results.values()]) {
      if (!used.has(result.key) && lastUseMs(result) < resultsBeforeMs) this.#results.delete(result.key);
    }
    return ok({ removedFolders: [] });
  }

  /** A reusable result that is there stays. */
  #kept({ key, reusable }: ResultRow): ResultRow | null {
    const there = this.#results.get(key);
    return reusable && there?.reusable ? there : null;
  }

  #usedResults(): Set<ResultKey | null> {
    const steps = [...this.#steps.values()].flatMap((ofTask) => [...ofTask.values()]);
    const past = [...this.#checkpoints.values()].flatMap((ofTask) =>
      [...ofTask.values()].flatMap((row) => row.replaced),
    );
    return new Set([
      ...[...past, ...steps].map((step) => step.resultKey),
      ...[...this.#tasks.values()].map((task) => task.report),
    ]);
  }

  #inKeyOrder(id: TaskId, keep: (step: StepRow) => boolean): StepRow[] {
    return [...mapOf(this.#steps, id).values()].filter(keep).sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

function mapOf<K, V>(maps: Map<TaskId, Map<K, V>>, id: TaskId): Map<K, V> {
  const found = maps.get(id) ?? new Map<K, V>();
  maps.set(id, found);
  return found;
}
