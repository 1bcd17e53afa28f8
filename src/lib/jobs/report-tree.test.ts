import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsOneRequest, groupLeaves } from './report-tree';

const leaves = fc.array(
  fc.record({
    name: fc.string({ minLength: 1 }),
    tokens: fc.integer({ min: 1, max: 900 }),
    frameTokens: fc.integer({ min: 0, max: 60 }),
  }),
);

function named(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    name: `file/notes/${String(n).padStart(5, '0')}.txt`,
    tokens: 300,
    frameTokens: 12,
  }));
}

/** As much again as a tenth of the matter for names and fences. */
function room(matterTokens: number) {
  return { matterTokens, framedTokens: Math.floor(matterTokens * 1.1) };
}

describe('the groups of the report tree', () => {
  it('hold every leaf once, in order, and only the last may be a lone one', () => {
    fc.assert(
      fc.property(
        leaves,
        fc.integer({ min: 200, max: 20_000 }),
        fc.integer({ min: 1, max: 5 }),
        (all, matter, level) => {
          const groups = groupLeaves(all, room(matter), level);
          expect(groups.flat()).toEqual(all);
          for (const group of groups.slice(0, -1)) expect(group.length).toBeGreaterThanOrEqual(2);
          for (const group of groups) {
            if (group.length > 2) expect(fitsOneRequest(group, room(matter))).toBe(true);
          }
        },
      ),
    );
  });

  it('get fewer on every level until one request holds them', () => {
    let level = 1;
    let nodes = named(5_000);
    while (!fitsOneRequest(nodes, room(1_000))) {
      const groups = groupLeaves(nodes, room(1_000), level);
      expect(groups.length).toBeLessThan(nodes.length);
      nodes = groups.map((group) => ({ name: group.at(-1)?.name ?? '', tokens: 250, frameTokens: 12 }));
      level += 1;
    }
    expect(level).toBeLessThan(24);
  });

  it('stay as they are away from an inserted, removed or changed leaf', () => {
    const before = named(2_000);
    const key = (groups: readonly (readonly { name: string }[])[]) =>
      new Set(groups.map((group) => group.map(({ name }) => name).join('|')));
    const old = key(groupLeaves(before, room(6_000), 1));
    const inserted = [
      ...before.slice(0, 700),
      { name: 'file/notes/00699a.txt', tokens: 300, frameTokens: 12 },
      ...before.slice(700),
    ];
    const removed = before.filter((_, n) => n !== 700);
    const changed = before.map((leaf, n) => (n === 700 ? { ...leaf, tokens: 640 } : leaf));
    for (const after of [inserted, removed, changed]) {
      const fresh = [...key(groupLeaves(after, room(6_000), 1))].filter((group) => !old.has(group));
      expect(fresh.length).toBeLessThanOrEqual(3);
    }
  });
});
