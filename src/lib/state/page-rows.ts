/** The page's way to rows: what screens read, over the page's one database. Nothing here writes. */
import type { ActivityRow } from '../core/activity';
import type { CheckpointRow } from '../core/checkpoint';
import type { EffectRow, EffectState } from '../core/effect';
import type { EndpointRow } from '../core/endpoint';
import type { FolderRow } from '../core/folder';
import type { EffectKey, EndpointId, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { PartialRow } from '../core/partial';
import type { Settings } from '../core/ports';
import { Past } from '../core/past';
import { ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';
import { dropFrozenPagesUntil } from '../platform/frozen-pages';
import { openDatabase, type Database } from '../storage/database';
import { readRoomMade, type RoomMade } from '../storage/free-results';
import { isLost } from '../storage/lost';
import * as reading from '../storage/reading';
import type { WaitingEffects } from '../storage/reading';
import type { TaskList } from '../storage/task-list';
import { tellClosed } from './database-closings';
import { databaseTrouble } from './database-trouble.svelte';
import type { FileReader } from './task-files.svelte';

/** Opening takes milliseconds. */
const OPEN_LIMIT_MS = 4_000;

let opened: Database | null = null;
let isReset = false;

function database(): Database {
  opened ??= made();
  // The library keeps a failed opening for good, also one that the browser broke off while it deleted the database.
  if (opened.hasFailed()) reset(opened);
  return opened;
}

/** The next question opens it anew. */
function reset(failed: Database): void {
  isReset = true;
  failed.close({ disableAutoOpen: false });
  isReset = false;
}

function made(): Database {
  const database = openDatabase();
  database.on('close', () => {
    if (!isReset) tellClosed();
  });
  database.on('blocked', () => databaseTrouble.blocked());
  // Who opens behind a page that is kept waiting waits as well, and no event tells.
  setTimeout(() => {
    if (!database.isOpen() && !database.hasFailed()) databaseTrouble.blocked();
  }, OPEN_LIMIT_MS);
  dropFrozenPagesUntil(() => database.isOpen());
  return database;
}

export const rows = {
  tasks: (): Promise<TaskList> => reading.listTasks(database()),
  task: (id: TaskId): Promise<Result<TaskRow | null>> => reading.readTask(database(), id),
  step: (id: TaskId, key: StepKey): Promise<StepRow | null> => reading.readStep(database(), id, key),
  unfinished: async (id: TaskId, key: StepKey): Promise<PartialRow[]> =>
    (await reading.listPartials(database(), id)).filter(({ stepKey }) => stepKey === key),
  result: (key: ResultKey): Promise<ResultRow | null> => reading.readResult(database(), key),
  activity: (id: TaskId, limit: number): Promise<ActivityRow[]> => reading.listActivity(database(), id, limit),
  waitingEffects: (id: TaskId): Promise<WaitingEffects> => reading.waitingEffects(database(), id),
  /** Newest first. */
  checkpoints: (id: TaskId, limit: number): Promise<CheckpointRow[]> =>
    reading.listCheckpoints(database(), id, null, limit),
  pastOf: (id: TaskId, seq: number): Past =>
    new Past(
      {
        stepsOfType: async (...page) => ok(await reading.stepsOfType(database(), ...page)),
        checkpoints: async (...page) => ok(await reading.listCheckpoints(database(), ...page)),
      },
      id,
      seq,
    ),
  stepsSince: (id: TaskId, seq: number, limit: number): Promise<StepRow[]> =>
    reading.stepsSince(database(), id, seq, limit),
  effect: (id: TaskId, key: EffectKey): Promise<EffectRow | null> => reading.readEffect(database(), id, key),
  effects: (id: TaskId, state: EffectState, limit: number): Promise<EffectRow[]> =>
    reading.effectsInState(database(), id, state, limit),
  endpoints: (): Promise<EndpointRow[]> => reading.listEndpoints(database()),
  endpoint: (id: EndpointId): Promise<Result<EndpointRow | null>> => reading.readEndpoint(database(), id),
  folders: (): Promise<FolderRow[]> => reading.listFolders(database()),
  folder: (id: FolderId): Promise<Result<FolderRow | null>> => reading.readFolder(database(), id),
  hasRemovals: (): Promise<boolean> => reading.hasRemovals(database()),
  settings: (): Promise<Settings> => reading.readSettings(database()),
  /** Everything that is stored of a task, also of one that cannot be read. */
  export: async (id: TaskId): Promise<Blob> => {
    const [{ exportLines }, { OpfsJournalFiles }] = await Promise.all([
      import('../storage/task-export'),
      import('../storage/journal/journal-files-opfs'),
    ]);
    // Where there is no such file system, listing it fails, and there is no journal to tell.
    const files = new OpfsJournalFiles(() => navigator.storage.getDirectory());
    const lines: string[] = [];
    for await (const line of exportLines({ database: database(), files, id, nowMs: Date.now() }))
      lines.push(`${line}\n`);
    return new Blob(lines, { type: 'application/x-ndjson' });
  },
  roomMade: (): Promise<RoomMade | null> => readRoomMade(database()),
  isLost: (): Promise<boolean> => isLost(database()),
  filesOf: (id: TaskId): FileReader => ({
    files: (after, limit) => reading.stepsOfType(database(), id, 'file', after, limit),
    since: (seq, limit) => reading.stepsSince(database(), id, seq, limit),
  }),
};
