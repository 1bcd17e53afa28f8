import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';

const FILES = 9;
const pathOf = (n: number) => `f_${String(n)}.txt`;
const textOf = (n: number) => `text number ${String(n)}`;

function withFiles(count = FILES): EngineBench {
  const bench = new EngineBench();
  for (let n = 0; n < count; n += 1) bench.folder.put(pathOf(n), textOf(n));
  bench.model.script(async ({ matter }) => {
    await bench.clock.sleep(100 + 37 * (matter.length % 5));
    return answer(matter);
  });
  return bench;
}

async function failedOf(bench: EngineBench): Promise<Record<string, string>> {
  const failed = (await bench.files()).filter((step) => step.status === 'failed');
  return Object.fromEntries(failed.map((step) => [step.file?.path ?? '', step.failure?.code ?? '']));
}

type Where = 'read' | 'request';

/** The life in which `path` ends the app, whenever it is read or asked about. */
function poisoned(bench: EngineBench, n: number, where: Where) {
  const now: { life: OwnerLife | null } = { life: null };
  const read = bench.folder.read.bind(bench.folder);
  bench.folder.read = (path) => {
    if (where === 'read' && path === pathOf(n)) now.life?.die();
    return read(path);
  };
  bench.model.script(async ({ matter }) => {
    await bench.clock.sleep(100);
    if (where === 'request' && matter === textOf(n)) now.life?.die();
    return answer(matter);
  });
  return now;
}

/** The page sees that its worker has died. */
function noteCrash(bench: EngineBench): void {
  const diedMs = bench.clock.now();
  Object.assign(bench.ports, { endings: () => ({ leftMs: null, diedMs }) });
}

async function livesUntilTheEnd(bench: EngineBench, now: { life: OwnerLife | null }, atMost: number): Promise<number> {
  for (let deaths = 0; deaths <= atMost; deaths += 1) {
    now.life = new OwnerLife(bench);
    await now.life.live();
    if (now.life.hasEnded) return deaths;
    noteCrash(bench);
  }
  throw new Error('it goes on for ever');
}

describe('a file that ends the app every time', () => {
  it('is set aside after it did so three times, at last alone; the rest is done', async () => {
    const bench = withFiles();
    await bench.createTask({ concurrency: 4 });
    const now = poisoned(bench, 2, 'request');
    expect(await livesUntilTheEnd(bench, now, 3)).toBe(3);
    const step = (await bench.files()).find(({ file }) => file?.path === pathOf(2));
    expect(step).toMatchObject({
      status: 'failed',
      failure: { code: 'crashes_app', details: { times: 3, path: pathOf(2) } },
    });
    expect(await bench.task()).toMatchObject({
      status: 'completed',
      counts: { done: FILES - 1, failed: 1, running: 0 },
    });
    const lines = await bench.store.activity(TASK, 100);
    const whats = lines.ok ? lines.value.map(({ what }) => what) : [];
    expect(whats.filter((what) => what === 'taken_over')).toHaveLength(3);
    expect(whats.filter((what) => what === 'file_failed')).toHaveLength(1);
  });

  it('wherever it is, whenever it does so, and however many are asked at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: FILES - 1 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom<Where>('read', 'request'),
        async (poison, concurrency, where) => {
          const bench = withFiles();
          await bench.createTask({ concurrency });
          const now = poisoned(bench, poison, where);
          // A file that is read ahead is not noted yet the first time.
          const deaths = await livesUntilTheEnd(bench, now, where === 'read' ? 4 : 3);
          expect(await failedOf(bench)).toEqual({ [pathOf(poison)]: 'crashes_app' });
          expect((await bench.task()).counts).toMatchObject({ done: FILES - 1 });
          expect(bench.model.fileCalls.length).toBeLessThanOrEqual(FILES + deaths * concurrency);
        },
      ),
      { numRuns: 20 },
    );
  }, 60_000);

  it('"retry failed" tries it again, with a clean record', async () => {
    const bench = withFiles(3);
    await bench.createTask({ concurrency: 2 });
    const now = poisoned(bench, 1, 'request');
    await livesUntilTheEnd(bench, now, 3);
    const again = new OwnerLife(bench);
    now.life = again;
    await again.live(undefined, true);
    expect(again.isDead).toBe(true);
    noteCrash(bench);
    expect(await livesUntilTheEnd(bench, now, 3)).toBe(2);
    expect(await failedOf(bench)).toEqual({ [pathOf(1)]: 'crashes_app' });
    bench.model.script(({ matter }) => answer(matter));
    await bench.run({ retryFailed: true });
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3, failed: 0 } });
    expect((await bench.files()).every((step) => step.suspicion === undefined)).toBe(true);
  });

  it('a part of the report that does so fails the task with the cause, instead of for ever', async () => {
    const bench = withFiles(3);
    await bench.createTask();
    const now: { life: OwnerLife | null } = { life: null };
    bench.model.script(({ matter, request }) => {
      if (request.material.what === 'section') now.life?.die();
      return answer(matter);
    });
    await livesUntilTheEnd(bench, now, 16);
    expect(await bench.task()).toMatchObject({
      status: 'failed',
      failure: { code: 'report_failed', details: { cause: 'crashes_app' } },
      counts: { done: 3 },
    });
  });
});

describe('kills at random', () => {
  it('set no file aside, and repeat only what was in flight', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 11 }),
        fc.integer({ min: 1, max: 4 }),
        async (momentsOfKills, concurrency) => {
          const bench = withFiles();
          await bench.createTask({ concurrency });
          let kills = 0;
          for (const moments of momentsOfKills) {
            const life = new OwnerLife(bench);
            let left = moments;
            await life.live(() => left-- <= 0);
            if (life.hasEnded) break;
            kills += 1;
          }
          await bench.run();
          expect(bench.model.fileCalls.length).toBeLessThanOrEqual(FILES + kills * concurrency);
          expect((await bench.task()).counts).toMatchObject({ done: FILES, failed: 0 });
        },
      ),
      { numRuns: 30 },
    );
  }, 60_000);

  it('of one and the same file set it aside after a dozen, at last alone: it may be at fault all the same', async () => {
    const bench = withFiles(1);
    await bench.createTask({ concurrency: 1 });
    for (let kill = 0; kill < 12; kill += 1) {
      const asked = bench.model.calls.length + 1;
      await new OwnerLife(bench).live(() => bench.model.calls.length >= asked);
    }
    await bench.run();
    expect(Object.values(await failedOf(bench))).toEqual(['crashes_app']);
  });

  it('spread over a folder set nothing aside: who was hit again and again waits until the rest is done', async () => {
    const bench = withFiles(40);
    await bench.createTask({ concurrency: 4 });
    for (let kill = 0; kill < 8; kill += 1) {
      const asked = bench.model.calls.length + 1 + (kill % 4);
      await new OwnerLife(bench).live(() => bench.model.calls.length >= asked);
    }
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 40, failed: 0 } });
  });
});

describe('what is no death', () => {
  const interrupted = async (leave: (bench: EngineBench) => Promise<void>) => {
    const bench = withFiles(1);
    await bench.createTask({ concurrency: 1 });
    for (let times = 0; times < 5; times += 1) await leave(bench);
    expect(bench.model.fileCalls).toHaveLength(5);
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1 } });
    expect(bench.model.fileCalls).toHaveLength(6);
  };

  it('a pause', () =>
    interrupted(async (bench) => {
      const run = bench.newRun();
      const asked = bench.model.calls.length + 1;
      const running = run.run({ retryFailed: false });
      while (bench.model.calls.length < asked) await settle();
      run.stop('pause');
      await bench.clock.run(running);
    }));

  it('a page that was closed or left', () =>
    interrupted(async (bench) => {
      const asked = bench.model.calls.length + 1;
      await new OwnerLife(bench).live(() => bench.model.calls.length >= asked);
      const leftMs = bench.clock.now();
      Object.assign(bench.ports, { endings: () => ({ leftMs, diedMs: null }) });
      await bench.clock.advance(5_000);
    }));
});

it('a page that was left in the future, by a clock that has been set right since, excuses no death', async () => {
  const bench = withFiles(1);
  await bench.createTask({ concurrency: 1 });
  const leftMs = bench.clock.now() + 365 * 86_400_000;
  Object.assign(bench.ports, { endings: () => ({ leftMs, diedMs: null }) });
  for (let kill = 0; kill < 12; kill += 1) {
    const asked = bench.model.calls.length + 1;
    await new OwnerLife(bench).live(() => bench.model.calls.length >= asked);
  }
  await bench.run();
  expect(Object.values(await failedOf(bench))).toEqual(['crashes_app']);
});
