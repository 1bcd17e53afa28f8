import { expect, it } from 'vitest';
import { contentDigest } from '../../core/ids';
import { decide, type Decision } from './decide';
import { UNSEEN, type Seen } from './effect-doer';

const BEFORE = contentDigest('b');
const AFTER = contentDigest('a');
const FOREIGN = contentDigest('f');

type State = Parameters<typeof decide>[0]['state'];

const SEEN: Readonly<Record<string, Seen>> = {
  before: BEFORE,
  after: AFTER,
  foreign: FOREIGN,
  gone: null,
  unseen: UNSEEN,
};

const TABLE: readonly (readonly [State, Readonly<Record<string, Decision>>])[] = [
  ['new', { before: 'do', after: 'done', foreign: 'ask', gone: 'do', unseen: 'do' }],
  ['intended', { before: 'do', after: 'done', foreign: 'ask', gone: 'do', unseen: 'in_doubt' }],
  ['approved', { before: 'do', after: 'done', foreign: 'ask', gone: 'do', unseen: 'do' }],
  ['contested', { before: 'do', after: 'done', foreign: 'ask', gone: 'do', unseen: 'ask' }],
  ['in_doubt', { before: 'do', after: 'done', foreign: 'ask', gone: 'do', unseen: 'in_doubt' }],
  ['done', { before: 'settled', after: 'settled', foreign: 'settled', gone: 'settled', unseen: 'settled' }],
  ['abandoned', { before: 'settled', after: 'settled', foreign: 'settled', gone: 'settled', unseen: 'settled' }],
];

it.each(TABLE)('%s, by what the target holds', (state, expected) => {
  const decided = Object.entries(SEEN).map(([name, seen]) => [
    name,
    decide({ state, before: BEFORE, after: AFTER, seen }),
  ]);
  expect(Object.fromEntries(decided)).toEqual(expected);
});

it('takes content that was there before anything was written for somebody else’s', () => {
  expect(decide({ state: 'new', before: null, after: AFTER, seen: FOREIGN })).toBe('ask');
});
