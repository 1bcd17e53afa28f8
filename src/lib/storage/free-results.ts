/** Making room: results that no row of any task uses go, those first that were used least lately. */
import { ok, type Result } from '../core/result';
import type { ResultKey } from '../core/ids';
import type { Freed } from '../core/ports';
import type { ResultRow } from '../core/results';
import type { Connection } from './connection';
import type { Database } from './database';
import { keysOfThePast } from './past-results';
import { lastUseMs } from './put-results';
import { stringIn } from './row-shapes';

const PAGE = 500;
const CHECKPOINTS_A_PAGE = 1_000;
const RESULTS_A_BATCH = 100;
const NAME = 'roomMade';

interface Candidate {
  readonly key: ResultKey;
  readonly lastMs: number;
  readonly bytes: number;
}

/** What was freed last, for the page that shows how much is stored. */
export interface RoomMade extends Freed {
  readonly atMs: number;
}

export async function freeResults(connection: Connection, wantedBytes: number, nowMs: number): Promise<Result<Freed>> {
  const found = await unusedResults(connection);
  if (!found.ok) return found;
  const oldest = [...found.value].sort((a, b) => a.lastMs - b.lastMs || (a.key < b.key ? -1 : 1));
  let freed: Freed = { results: 0, bytes: 0 };
  for (let from = 0; from < oldest.length && freed.bytes < wantedBytes; from += RESULTS_A_BATCH) {
    const batch = oldest.slice(from, from + RESULTS_A_BATCH);
    const gone = await connection.run('relaxed', (database) =>
      removeStillUnused(database, batch, wantedBytes - freed.bytes),
    );
    if (!gone.ok) return freed.results > 0 ? ok(freed) : gone;
    freed = { results: freed.results + gone.value.results, bytes: freed.bytes + gone.value.bytes };
  }
  // On a full disk there may be no room for the note: what counts is what was freed.
  if (freed.results > 0) await connection.run('relaxed', (database) => note(database, { ...freed, atMs: nowMs }));
  return ok(freed);
}

export async function readRoomMade(database: Database): Promise<RoomMade | null> {
  const value = (await database.settings.get(NAME))?.value;
  if (typeof value !== 'object' || value === null) return null;
  const { atMs, bytes, results } = value as Partial<RoomMade>;
  const isWhole = [atMs, bytes, results].every((number) => Number.isFinite(number));
  return isWhole ? (value as RoomMade) : null;
}

/** As the browser keeps text: a byte a character where it can. */
export function sizeOf({ output }: Pick<ResultRow, 'output'>): number {
  return output.length * (/^[\u0000-\u00ff]*$/.test(output) ? 1 : 2);
}

async function unusedResults(connection: Connection): Promise<Result<readonly Candidate[]>> {
  const candidates: Candidate[] = [];
  for (let after: string | null = ''; after !== null;) {
    const from: string = after;
    const page = await connection.run('relaxed', async (database) => ok(await unusedPage(database, from)));
    if (!page.ok) return page;
    candidates.push(...(page.value?.unused ?? []));
    after = page.value?.last ?? null;
  }
  // After the steps: what one of them gives up meanwhile is found here.
  const past = await keysOfThePast(connection, CHECKPOINTS_A_PAGE);
  return past.ok ? ok(candidates.filter(({ key }) => !past.value.has(key))) : past;
}

function unusedPage(database: Database, after: string) {
  return database.transaction('r', [database.tasks, database.steps, database.results], async () => {
    const rows = await database.results.where('key').above(after).limit(PAGE).toArray();
    const last = rows.at(-1)?.key;
    if (last === undefined) return null;
    const used = await usedKeys(database, rows);
    const unused = rows
      .filter(({ key }) => !used.has(key))
      .map((row) => ({ key: row.key, lastMs: lastUseMs(row), bytes: sizeOf(row) }));
    return { unused, last };
  });
}

/** Looked at again: a step may have taken one up meanwhile. */
function removeStillUnused(
  database: Database,
  batch: readonly Candidate[],
  wantedBytes: number,
): PromiseLike<Result<Freed>> {
  return database.transaction('rw', [database.tasks, database.steps, database.results], async () => {
    const used = await usedKeys(database, batch);
    const gone: Candidate[] = [];
    let bytes = 0;
    for (const candidate of batch) {
      if (bytes >= wantedBytes) break;
      if (used.has(candidate.key)) continue;
      gone.push(candidate);
      bytes += candidate.bytes;
    }
    await database.results.bulkDelete(gone.map(({ key }) => key));
    return ok({ results: gone.length, bytes });
  });
}

async function usedKeys(database: Database, rows: readonly { readonly key: ResultKey }[]): Promise<Set<unknown>> {
  const keys = rows.map(({ key }) => key);
  const bySteps = await database.steps.where('resultKey').anyOf(keys).uniqueKeys();
  const reports = (await database.tasks.toArray()).map((task) => stringIn(task, 'report'));
  return new Set<unknown>([...bySteps, ...reports]);
}

async function note(database: Database, made: RoomMade): Promise<Result<void>> {
  await database.settings.put({ name: NAME, value: made });
  return ok();
}
