import { expect, it } from 'vitest';
import { Seen, type SavedRows } from './saved-rows.mjs';

const rows = (changes: Partial<SavedRows> = {}): SavedRows => ({
  tasks: ['t'],
  endpoints: ['e'],
  steps: ['a done 1', 'b done 2'],
  results: ['1', '2'],
  rebuiltMs: null,
  isLost: false,
  ...changes,
});

it('finds nothing lost while all that was seen is there, and more', () => {
  const seen = new Seen();
  expect(seen.look(rows())).toEqual([]);
  expect(seen.look(rows({ steps: ['c done 3', 'b done 2', 'a done 1'], results: ['3', '2', '1'] }))).toEqual([]);
  expect(seen.count('steps')).toBe(3);
});

it.each([
  ['tasks', { tasks: [] }, '1 tasks are gone: t'],
  ['endpoints', { endpoints: ['other'] }, '1 endpoints are gone: e'],
  ['steps', { steps: ['a done 1', 'b failed null'] }, '1 steps are gone: b done 2'],
  ['results', { results: ['2'] }, '1 results are gone: 1'],
])('says which %s are gone', (_, changes, line) => {
  const seen = new Seen();
  seen.look(rows());
  expect(seen.look(rows(changes))).toEqual([line]);
});

it('remembers what only an early look has seen', () => {
  const seen = new Seen();
  seen.look(rows());
  seen.look(rows({ results: [], steps: [] }));
  expect(seen.look(rows({ results: ['2'], steps: ['b done 2'] }))).toEqual([
    '1 steps are gone: a done 1',
    '1 results are gone: 1',
  ]);
});
