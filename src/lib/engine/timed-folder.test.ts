import { describe, expect, it } from 'vitest';
import { ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { FakeClock, settle } from '../testing/fake-clock';
import { FakeFolder } from '../testing/fake-folder';
import { TimedFolder } from './timed-folder';

const never = <T>() => new Promise<T>(() => undefined);
const MINUTE_MS = 60_000;

describe('TimedFolder', () => {
  const made = () => {
    const folder = new FakeFolder().put('a.txt', 'one');
    const clock = new FakeClock();
    return { folder, clock, timed: new TimedFolder(folder, clock, 'notes') };
  };

  it('gives what the folder gives, and leaves no timer behind', async () => {
    const { folder, clock, timed } = made();
    expect(await timed.access()).toBe('ready');
    expect(await timed.read('a.txt', 100)).toEqual(await folder.read('a.txt'));
    expect(await timed.stat('a.txt')).toEqual(await folder.stat('a.txt'));
    expect(await timed.canWrite()).toBe(true);
    expect(await timed.write('r.md', 'x')).toEqual(ok());
    const seen: string[] = [];
    for await (const batch of timed.walk(new AbortController().signal)) seen.push(...batch.map(({ path }) => path));
    expect(seen).toEqual(['a.txt']);
    await settle();
    expect(clock.sleepers).toBe(0);
  });

  it('a file that never comes, in a folder that answers, is that file’s failure', async () => {
    const { folder, clock, timed } = made();
    folder.read = never;
    const read = await clock.run(timed.read('a.txt', 100));
    expect(read).toMatchObject({ ok: false, failure: { code: 'file_timeout', details: { path: 'a.txt' } } });
  });

  it('a folder that answers nothing at all is silent', async () => {
    const { folder, clock, timed } = made();
    const hung = { access: never, read: never, stat: never, canWrite: never, readOutput: never, write: never };
    Object.assign(folder, hung);
    const silent = { ok: false, failure: { code: 'folder_timeout', details: { folder: 'notes' } } };
    expect(await clock.run(timed.access())).toBe('silent');
    expect(await clock.run(timed.read('a.txt', 100))).toMatchObject(silent);
    expect(await clock.run(timed.stat('a.txt'))).toMatchObject(silent);
    expect(await clock.run(timed.write('r.md', 'x'))).toMatchObject(silent);
    expect(await clock.run(timed.readOutput('r.md'))).toMatchObject(silent);
    expect(await clock.run(timed.canWrite())).toBe(false);
  });

  it('a walk that hangs ends as a folder that is silent', async () => {
    const { folder, clock, timed } = made();
    folder.walk = async function* () {
      yield [{ path: 'a.txt', sizeBytes: 3, modifiedMs: 1 }];
      await never();
    };
    const walk = timed.walk(new AbortController().signal)[Symbol.asyncIterator]();
    expect((await walk.next()).done).toBe(false);
    await expect(clock.run(walk.next())).rejects.toMatchObject({ failure: { code: 'folder_timeout' } });
  });

  it('LIF-03: a limit that the machine slept through begins anew', async () => {
    const { folder, clock, timed } = made();
    const content = await folder.read('a.txt');
    let answer: (read: typeof content) => void = () => undefined;
    folder.read = () => new Promise((resolve) => (answer = resolve));
    const reading = timed.read('a.txt', 100);
    await clock.advance(MINUTE_MS);
    clock.freeze(8 * 60 * MINUTE_MS);
    await clock.advance(MINUTE_MS);
    answer(content);
    expect(await reading).toEqual(content);
  });
});

describe('a task over a folder that hangs', () => {
  const withFiles = () => {
    const bench = new EngineBench();
    for (const name of ['a', 'b', 'c']) bench.folder.put(`${name}.txt`, `text ${name}`);
    return bench;
  };

  it('a file that hangs for ever holds no place: the others are done, it is listed as failed', async () => {
    const bench = withFiles();
    const read = bench.folder.read.bind(bench.folder);
    bench.folder.read = (path) => (path === 'a.txt' ? never() : read(path));
    await bench.createTask({ concurrency: 1 });
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 2, failed: 1 } });
    const hung = (await bench.files()).find(({ file }) => file?.path === 'a.txt');
    expect(hung).toMatchObject({ status: 'failed', failure: { code: 'file_timeout' } });
  });

  it('a drive that hangs pauses the task, costs no try, and is gone on with once it answers', async () => {
    const bench = withFiles();
    const access = bench.folder.access.bind(bench.folder);
    const read = bench.folder.read.bind(bench.folder);
    const walk = bench.folder.walk.bind(bench.folder);
    let isSilent = false;
    bench.folder.access = () => (isSilent ? never() : access());
    bench.folder.read = (path) => (isSilent ? never() : read(path));
    bench.folder.walk = async function* (signal) {
      yield* walk(signal);
      isSilent = true;
    };
    await bench.createTask({ concurrency: 2 });
    const run = bench.newRun().run({ retryFailed: false });
    await bench.clock.advance(40 * MINUTE_MS);
    expect(await bench.task()).toMatchObject({
      status: 'paused',
      reason: 'permission',
      failure: { code: 'folder_timeout' },
      counts: { failed: 0 },
    });
    isSilent = false;
    expect(await bench.clock.run(run)).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3, failed: 0 } });
    for (const file of await bench.files()) expect(file.attempts).toBe(1);
  });
});
