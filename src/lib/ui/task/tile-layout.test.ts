import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layTiles, tileAt, tileCorner } from './tile-layout';

describe('layTiles', () => {
  it('keeps a few files large and thousands within the height', () => {
    expect(layTiles(5, 288, 420)).toMatchObject({ columns: 18, rows: 1, gap: 2 });
    const many = layTiles(5_000, 288, 420);
    expect(many.height).toBeLessThanOrEqual(421);
    expect(many.side).toBeGreaterThan(2);
  });

  it('grows in height rather than let tiles vanish', () => {
    const layout = layTiles(100_000, 288, 420);
    expect(layout.side + layout.gap).toBeGreaterThanOrEqual(4);
    expect(layout.height).toBeGreaterThan(420);
  });

  it('has nothing to lay for no files', () => {
    expect(layTiles(0, 288, 420).height).toBe(0);
  });
});

describe('tileAt', () => {
  it('finds every tile at its own middle and none beyond the last', () => {
    const size = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(size, fc.integer({ min: 60, max: 900 }), fc.nat(), (count, width, pick) => {
        const layout = layTiles(count, width, 420);
        const tile = pick % count;
        const { x, y } = tileCorner(layout, tile);
        expect(tileAt(layout, count, x + layout.side / 2, y + layout.side / 2)).toBe(tile);
        expect(x + layout.side).toBeLessThanOrEqual(width);
        const after = tileCorner(layout, count);
        expect(tileAt(layout, count, after.x + layout.side / 2, after.y + layout.side / 2)).toBeNull();
      }),
    );
  });
});
