import Dexie, { type Table } from 'dexie';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { live, type Live } from './live.svelte';

interface Row {
  readonly id: string;
  readonly text: string;
}

let database: Dexie & { rows: Table<Row, string> };
let closers: (() => void)[] = [];

beforeEach(() => {
  database = new Dexie(`live-${crypto.randomUUID()}`) as typeof database;
  database.version(1).stores({ rows: 'id' });
});
afterEach(async () => {
  for (const close of closers) close();
  closers = [];
  await database.delete();
});

function shown<T>(make: () => Live<T>): Live<T> {
  let view: Live<T> | undefined;
  closers.push(
    $effect.root(() => {
      view = make();
    }),
  );
  flushSync();
  if (!view) throw new Error('the view was not made');
  return view;
}

test('shows what is there and follows every change', async () => {
  const view = shown(() => live(() => database.rows.toArray()));
  expect(view.value).toBeUndefined();
  await vi.waitFor(() => expect(view.value).toEqual([]));
  await database.rows.put({ id: 'a', text: 'one' });
  await vi.waitFor(() => expect(view.value).toEqual([{ id: 'a', text: 'one' }]));
});

test('a new key asks again and forgets the old value', async () => {
  await database.rows.bulkPut([
    { id: 'a', text: 'one' },
    { id: 'b', text: 'two' },
  ]);
  let id = $state('a');
  const view = shown(() =>
    live(
      () => database.rows.get(id),
      () => id,
    ),
  );
  await vi.waitFor(() => expect(view.value?.text).toBe('one'));
  id = 'b';
  flushSync();
  expect(view.value).toBeUndefined();
  await vi.waitFor(() => expect(view.value?.text).toBe('two'));
});

test('a query that fails is told, and answered once it works again', async () => {
  let works = false;
  const view = shown(() =>
    live(() => {
      if (!works) throw new Error('the disk is on fire');
      return database.rows.count();
    }),
  );
  await vi.waitFor(() => expect(view.error?.message).toBe('the disk is on fire'));
  works = true;
  await vi.waitFor(() => expect(view.value).toBe(0), { timeout: 6_000 });
  expect(view.error).toBeNull();
}, 10_000);

test('a database that cannot be opened is told, also where Dexie itself keeps silent', async () => {
  database.close();
  const view = shown(() => live(() => database.rows.toArray()));
  await vi.waitFor(() => expect(view.error?.name).toBe('DatabaseClosedError'));
});

test('IDB-08: without IndexedDB it says so instead of waiting for ever', () => {
  vi.stubGlobal('indexedDB', undefined);
  const view = shown(() => live(() => database.rows.toArray()));
  vi.unstubAllGlobals();
  expect(view.error?.message).toContain('not available');
});
