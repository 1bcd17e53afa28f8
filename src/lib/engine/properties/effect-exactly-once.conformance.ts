/** Effect exactly-once: whatever ends an owner, each file is written into the folder once, and none over a person's own. */
import { describe, expect, it } from 'vitest';
import { EFFECT_STATES } from '../../core/effect';
import type { FaultPoint } from '../../core/fault-points';
import { TASK } from '../../testing/engine-bench';
import type { PropertyCase } from '../../testing/property-case';
import { PropertyWorld, undisturbed } from '../../testing/property-world';

const POINTS: readonly FaultPoint[] = ['before-commit', 'after-commit', 'after-intent', 'after-effect', 'before-done'];

/** How often each file was written. */
function countWrites({ bench: { folder } }: PropertyWorld): Map<string, number> {
  const writes = new Map<string, number>();
  const write = folder.write.bind(folder);
  folder.write = (path, content) => {
    writes.set(path, (writes.get(path) ?? 0) + 1);
    return write(path, content);
  };
  return writes;
}

async function statesOf(world: PropertyWorld): Promise<Record<string, string>> {
  const read = await Promise.all(EFFECT_STATES.map((state) => world.store.effectsInState(TASK, state, 10_000)));
  const effects = read.flatMap((page) => (page.ok ? page.value : []));
  return Object.fromEntries(effects.map(({ target, state }) => [target, state]));
}

export function effectExactlyOnce({ disk, job, pick }: PropertyCase): void {
  describe(`effect exactly-once: ${job.name}, ${disk.name}`, () => {
    it.each(POINTS)('an owner that dies at %s', async (point) => {
      const { outcome, timesPassed } = await undisturbed(job);
      const paths = Object.keys(outcome.output).sort();
      for (const nth of pick(timesPassed(point))) {
        const world = await PropertyWorld.make(disk, job);
        const writes = countWrites(world);
        expect(await world.liveUntil({ point, nth })).toBe(true);
        // A second death at the same place: what was done by the first is not done by the second.
        await world.liveUntil({ point, nth: 1 });
        await world.liveUntil();
        expect(await world.outcome()).toEqual(outcome);
        expect([...writes.keys()].sort()).toEqual(paths);
        expect([...writes.values()]).toEqual(paths.map(() => 1));
        expect(await statesOf(world)).toEqual(Object.fromEntries(paths.map((path) => [path, 'done'])));
      }
    });

    it('a file that the person changed while nobody worked is left as it is, and asked about', async () => {
      const { outcome } = await undisturbed(job);
      const [edited = ''] = Object.keys(outcome.output);
      for (const point of ['after-intent', 'after-effect', 'before-done'] as const) {
        const world = await PropertyWorld.make(disk, job);
        expect(await world.liveUntil({ point, nth: 1 })).toBe(true);
        world.bench.folder.written.set(edited, 'My own words.');
        await world.liveUntil();
        expect(world.bench.folder.written.get(edited)).toBe('My own words.');
        expect((await world.rows()).task).toMatchObject({ status: 'completed', output: 'waiting' });
        expect((await statesOf(world))[edited]).toBe('contested');
        const others = (written: Record<string, string>) =>
          Object.fromEntries(Object.entries(written).filter(([path]) => path !== edited));
        expect(others((await world.outcome()).output)).toEqual(others(outcome.output));
      }
    });
  });
}
