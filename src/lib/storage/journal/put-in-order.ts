import type { FolderRow } from '../../core/folder';
import type { TaskId } from '../../core/ids';
import type { Clock } from '../../core/ports';
import { fail, ok, type Result } from '../../core/result';
import { isFinished } from '../../core/task';
import type { Copies } from '../copies';
import type { QuarantinedTask } from '../task-list';
import { endBurial } from './burial';
import { guarded } from './guarded';
import { insure } from './insurance';
import type { JournalFiles } from './journal-files';
import { leftJournal, type LeftJournals } from './left-journals';
import { rebuildTask, unreadable } from './rebuild';
import type { RestorableStore } from './restorable-store';

interface Parts {
  readonly store: RestorableStore;
  readonly files: JournalFiles;
  readonly copies: Pick<Copies, 'inOrder'>;
  readonly left: LeftJournals;
  readonly clock: Clock;
}

interface Order {
  /** There is no file system here to write a journal to: then there is none, and the rest works as it does. */
  readonly isOff: boolean;
  /** Folders of tasks whose removal was finished here. */
  readonly leftFolders: readonly FolderRow[];
  /** A task waits for room to be built in. The others need not wait for it. */
  readonly isRoomWanted: boolean;
  /** Journals of lost tasks that were not built from. */
  readonly leftTasks: number;
}

interface Placed {
  readonly folders?: readonly FolderRow[];
  readonly left?: QuarantinedTask | null;
}

/**
 * What a start owes to what came before: endpoints and handles from their copy, removals to their end, lost tasks from
 * their journals, and a journal for every finished task that has none.
 */
export async function putInOrder(parts: Parts): Promise<Result<Order>> {
  const { store, files, copies } = parts;
  // First: a rebuilt task finds its folder's handle there.
  const copied = await copies.inOrder();
  if (!copied.ok) return copied;
  // Before the tasks: one that is made meanwhile must not look lost.
  const journaled = await files.tasks().catch(() => null);
  const known = await store.tasks();
  if (!known.ok) return known;
  const there = new Set(known.value.map(({ id }) => id));
  const leftFolders: FolderRow[] = [];
  const left: QuarantinedTask[] = [];
  for (const id of journaled ?? []) {
    const put = await placeOrLeave(parts, id, there.has(id));
    if (!put.ok) return put;
    leftFolders.push(...(put.value.folders ?? []));
    if (put.value.left) left.push(put.value.left);
  }
  // On a full disk there may be no room for the note either.
  await parts.left.put(left);
  const finished = known.value.filter(({ status }) => isFinished(status));
  for (const task of finished) if (journaled?.includes(task.id) === false) await insure(parts, task);
  const isRoomWanted = left.some(({ failure: { verdict } }) => verdict === 'wait');
  return ok({ isOff: journaled === null, leftFolders, isRoomWanted, leftTasks: left.length });
}

/** Trouble with the files of one task must not keep the other tasks from being used. */
async function placeOrLeave(parts: Parts, id: TaskId, isThere: boolean): Promise<Result<Placed>> {
  const placed = await guarded(async () => ok(await putInPlace(parts, id, isThere)));
  if (placed.ok) return placed.value;
  return ok(isThere ? {} : { left: { id, name: '', failure: placed.failure } });
}

async function putInPlace({ store, files, clock }: Parts, id: TaskId, isThere: boolean): Promise<Result<Placed>> {
  const burial = await files.burial(id);
  if (burial !== null) {
    const ended = await endBurial({ store, files }, id, burial);
    if (!ended.ok) return ended;
    if (ended.value.isGone) return ok({ folders: ended.value.folders });
  }
  if (isThere) return ok({});
  // A row that cannot be read is there; it is not for the journal to judge it.
  const found = await store.task(id);
  if (!found.ok || found.value !== null) return ok({});
  // A journal that cannot be read, or says what nobody understands, must not keep the other tasks from being used.
  const rebuilt = await rebuildTask(files, store, id, clock.now()).catch(() => fail(unreadable(id)));
  if (rebuilt.ok) return ok({});
  if (rebuilt.failure.verdict === 'wait' && rebuilt.failure.code !== 'storage_full') return rebuilt;
  const left = await leftJournal(files, id, rebuilt.failure).catch(() => ({ id, name: '', failure: rebuilt.failure }));
  // Its first line was never written: there never was a task.
  if (left === null) await files.removeAll(id);
  return ok({ left });
}
