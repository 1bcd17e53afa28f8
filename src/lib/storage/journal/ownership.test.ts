import { describe, expect, it } from 'vitest';
import { JournalDisk } from '../../testing/journal-disk';
import { sampleCommit, sampleResult, sampleStep, sampleTask } from '../../testing/sample-rows';
import { MemoryCheckpointStore } from '../checkpoint-store-memory';
import { begin, codeOf, commitTo, valueOf } from '../checkpoint-store.conformance';

const ID = sampleTask().id;

/** A disk whose stores find the database that there is now, as connections do that open it again. */
function diskOfOneName(): JournalDisk {
  const disk = new JournalDisk();
  const kept = { database: disk.inner };
  const same = new Proxy(disk.inner, {
    get: (_, name) => {
      const value: unknown = Reflect.get(kept.database, name, kept.database);
      return typeof value === 'function' ? (value.bind(kept.database) as unknown) : value;
    },
  });
  disk.inner = same;
  disk.killAndWipe = () => {
    disk.files.crash();
    kept.database = new MemoryCheckpointStore();
  };
  return disk;
}

/** Holds the next call of `name`; gives what waits until it is called, and what lets it go on. */
function freezeIn<T extends object>(owner: T, name: keyof T & string) {
  const real = (owner[name] as (...args: readonly unknown[]) => unknown).bind(owner);
  let thaw = () => undefined as void;
  const ice = new Promise<void>((resolve) => (thaw = resolve));
  const reached = new Promise<void>((resolve) => {
    Reflect.set(owner, name, async (...args: readonly unknown[]) => {
      Reflect.set(owner, name, real);
      resolve();
      await ice;
      return real(...args);
    });
  });
  return { reached, thaw: () => thaw() };
}

describe('an epoch', () => {
  it('comes once, also when its owner froze before it wrote anything and the database was lost', async () => {
    const disk = diskOfOneName();
    const frozen = disk.open();
    await begin(frozen);
    await frozen.release(ID);
    const ice = freezeIn(disk.files, 'unbury');
    const owning = frozen.own(ID, 5);
    await ice.reached;
    disk.killAndWipe();
    const next = disk.open();
    const task = valueOf(await next.own(ID, 6));
    ice.thaw();
    const stale = await owning;
    const late = stale.ok ? await frozen.commit(sampleCommit(stale.value, { steps: [sampleStep('late.txt')] })) : stale;
    expect(codeOf(late)).not.toBe('ok');
    expect(codeOf(await next.commit(sampleCommit(task, { steps: [sampleStep('a.txt')] })))).toBe('ok');
    disk.killAndWipe();
    expect(valueOf(await disk.open().stepsSince(ID, -1, 9)).map(({ key }) => key)).toEqual(['file/a.txt']);
  });

  it('that another tab was given in between leaves no file behind, and work goes on with the one after it', async () => {
    const disk = new JournalDisk();
    const [slow, quick] = [disk.open(), disk.open()];
    await begin(quick);
    await quick.release(ID);
    await slow.tasks();
    const ice = freezeIn(disk.files, 'create');
    const owning = slow.own(ID, 5);
    await ice.reached;
    expect(valueOf(await quick.own(ID, 6)).epoch).toBe(2);
    ice.thaw();
    const owned = valueOf(await owning);
    expect(owned.epoch).toBeGreaterThan(2);
    await commitTo(slow, owned, { steps: [sampleStep('a.txt')] });
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: 1, epoch: owned.epoch });
    expect((await disk.files.list(ID)).every((name) => disk.files.bytesOf(ID, name).length > 0)).toBe(true);
  });
});

describe('a task that is taken over', () => {
  it('has a commit once that its owner before had written ahead, also when that one thaws in that moment', async () => {
    const disk = new JournalDisk();
    const [frozen, next] = [disk.open(), disk.open()];
    const task = await begin(frozen);
    const held = freezeIn(disk.inner, 'commit');
    const late = frozen.commit(sampleCommit(task, { steps: [sampleStep('a.txt')], requests: 1 }));
    await held.reached;
    const ice = freezeIn(disk.inner, 'redo');
    const owning = next.own(ID, 7);
    await ice.reached;
    held.thaw();
    expect(codeOf(await late)).toBe('fenced');
    ice.thaw();
    const owned = valueOf(await owning);
    expect(owned).toMatchObject({ seq: 1, requests: 1 });
    await commitTo(next, owned, { results: [sampleResult()], requests: 1 });
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: 2, requests: 2 });
  });
});
