import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import { fail, ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { answer } from '../testing/scripted-model';

const FILES = 9;
const pathOf = (n: number) => `f_${String(n)}.txt`;
const textOf = (n: number) => `text number ${String(n)}`;
const ANSWER_MS = 100;

/** A bench whose server goes down, with everything it was asked, and is started again by its supervisor. */
class Served extends EngineBench {
  #life = 0;
  #isUp = true;
  restartMs = 5_000;
  crashes = 0;
  /** What is asked of the server when it crashes, those that end it included. */
  readonly hit: (readonly string[])[] = [];
  readonly #asked: string[] = [];

  constructor(files: number, isPoison: (matter: string) => boolean, code: FailureCode = 'endpoint_unreachable') {
    super();
    for (let n = 0; n < files; n += 1) this.folder.put(pathOf(n), textOf(n));
    const refused = () => fail(failure('endpoint_unreachable'));
    this.model.isReachable = () => (this.#isUp ? ok() : refused());
    this.model.script(async ({ matter }) => {
      if (!this.#isUp) return refused();
      const life = this.#life;
      this.#asked.push(matter);
      await this.clock.sleep(ANSWER_MS);
      if (life === this.#life && isPoison(matter)) this.goDown();
      if (life !== this.#life) return fail(failure(code));
      this.#asked.splice(this.#asked.indexOf(matter), 1);
      return answer(matter);
    });
  }

  goDown(): void {
    this.#life += 1;
    this.#isUp = false;
    this.crashes += 1;
    this.hit.push(this.#asked.splice(0));
    void this.clock.sleep(this.restartMs).then(() => (this.#isUp = true));
  }

  async failures(): Promise<Record<string, string>> {
    const failed = (await this.files()).filter((step) => step.status === 'failed');
    return Object.fromEntries(failed.map((step) => [step.file?.path ?? '', step.failure?.code ?? '']));
  }
}

describe('a file that ends the server every time', () => {
  it('is set aside after it did so three times, at last alone; the rest is done', async () => {
    const bench = new Served(FILES, (matter) => matter === textOf(2));
    await bench.createTask({ concurrency: 4 });
    expect(await bench.run()).toEqual(ok());
    expect(bench.crashes).toBe(3);
    expect(bench.hit.at(-1)).toEqual([textOf(2)]);
    expect(bench.hit[0]?.length).toBeGreaterThan(1);
    const step = (await bench.files()).find(({ file }) => file?.path === pathOf(2));
    expect(step?.failure).toMatchObject({ code: 'crashes_server', details: { times: 3, path: pathOf(2) } });
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: FILES - 1, failed: 1 } });
  });

  it.each(['stream_cut', 'server_fault', 'connect_timeout'] satisfies FailureCode[])(
    'is found out too when all that is seen of it is %s',
    async (code) => {
      const bench = new Served(FILES, (matter) => matter === textOf(2), code);
      await bench.createTask({ concurrency: 4 });
      await bench.run();
      expect(bench.crashes).toBeLessThanOrEqual(8);
      expect(Object.keys(await bench.failures())).toEqual([pathOf(2)]);
      expect((await bench.task()).counts).toMatchObject({ done: FILES - 1, failed: 1 });
    },
  );

  it('wherever it is, however many there are and are asked at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: FILES - 1 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (poison, concurrency) => {
          const texts = poison.map(textOf);
          const bench = new Served(FILES, (matter) => texts.includes(matter));
          await bench.createTask({ concurrency });
          await bench.run();
          const condemned = Object.fromEntries(poison.map((n) => [pathOf(n), 'crashes_server']));
          expect(await bench.failures()).toEqual(condemned);
          expect((await bench.task()).counts.done).toBe(FILES - poison.length);
          // Once more where nobody had been answered yet who would show that the server is sound.
          expect(bench.crashes).toBeLessThanOrEqual(4 * poison.length);
          expect(bench.model.fileCalls.length).toBeLessThanOrEqual(FILES + bench.crashes * concurrency);
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('is set aside when it is the only file', async () => {
    const bench = new Served(1, () => true);
    await bench.createTask({ concurrency: 4 });
    await bench.run();
    expect(bench.crashes).toBe(3);
    expect(await bench.failures()).toEqual({ [pathOf(0)]: 'crashes_server' });
  });
});

describe('a server that is at fault itself', () => {
  it('one that ends at every request condemns no file of many: the task waits for it', async () => {
    let isBroken = true;
    const bench = new Served(30, () => isBroken);
    await bench.createTask({ concurrency: 4 });
    const run = bench.newRun().run({ retryFailed: false });
    await bench.clock.advance(3 * 60 * 60_000);
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'endpoint', counts: { failed: 0, done: 0 } });
    isBroken = false;
    await bench.clock.run(run);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 30, failed: 0 } });
  }, 60_000);

  it('outages, short and long, condemn no file that was not alone with the server at three of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ answers: fc.integer({ min: 0, max: 5 }), forMs: fc.integer({ min: 1, max: 900_000 }) }), {
          maxLength: 10,
        }),
        fc.integer({ min: 1, max: 4 }),
        async (outages, concurrency) => {
          let left = outages[0]?.answers ?? Infinity;
          const bench: Served = new Served(FILES, () => {
            if (left-- > 0) return false;
            bench.restartMs = outages[bench.crashes]?.forMs ?? 0;
            left = outages[bench.crashes + 1]?.answers ?? Infinity;
            return true;
          });
          await bench.createTask({ concurrency });
          await bench.run();
          const failures = await bench.failures();
          if (bench.crashes < 3) expect(failures).toEqual({});
          for (const path of Object.keys(failures)) {
            const text = textOf(Number(/\d+/.exec(path)?.[0]));
            const hits = bench.hit.filter((hit) => hit.includes(text));
            expect(hits.length).toBeGreaterThanOrEqual(3);
            expect(hits.at(-1)).toEqual([text]);
          }
        },
      ),
      { numRuns: 20 },
    );
  }, 60_000);
});
