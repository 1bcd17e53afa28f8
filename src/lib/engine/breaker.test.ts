import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { endpointId, taskId } from '../core/ids';
import { fail, ok } from '../core/result';
import { EngineBench, newTask } from '../testing/engine-bench';
import { FAKE_FOLDER_ROW, FakeFolder, openerOf } from '../testing/fake-folder';
import { FakeClock, settle } from '../testing/fake-clock';
import { ScriptedModel, answer } from '../testing/scripted-model';
import { Breakers } from './breaker';
import { TaskRun } from './task-run';

const ID = endpointId('endpoint-1');
const HOUR_MS = 3_600_000;
const out = () => Promise.resolve(false);

function fresh(clock = new FakeClock(), profiles = new EngineBench().profiles) {
  return { clock, profiles, breakers: new Breakers(profiles, clock), breaker: new Breakers(profiles, clock).of(ID) };
}

describe('Breaker', () => {
  it('opens, is half open when its time has come, and is closed by a success alone', async () => {
    const { clock, breaker, profiles } = fresh();
    expect(breaker.state).toBe('closed');
    breaker.opened('endpoint_unreachable');
    expect([breaker.state, breaker.leftMs, breaker.code]).toEqual(['open', 2_000, 'endpoint_unreachable']);
    await clock.advance(2_000);
    expect(breaker.state).toBe('half_open');
    expect(await breaker.look(() => Promise.resolve(true), true)).toBe(true);
    expect([breaker.state, breaker.leftMs]).toEqual(['open', 4_000]);
    breaker.succeeded();
    expect(breaker.state).toBe('closed');
    await settle();
    expect(await profiles.breaker(ID)).toEqual(ok(null));
  });

  it('a profile that is saved with another address is asked at once, in other tabs too', async () => {
    const { clock, breakers, profiles } = fresh();
    const told: string[] = [];
    breakers.onClosed(() => told.push('other tabs'));
    const breaker = breakers.of(ID);
    breaker.opened('endpoint_unreachable');
    const waited = breaker.closed(new AbortController().signal).then(() => told.push('this tab'));
    breaker.forget();
    await waited;
    expect([breaker.state, breaker.code, told]).toEqual(['closed', null, ['other tabs', 'this tab']]);
    expect(await profiles.breaker(ID)).toEqual(ok(null));
    new Breakers(profiles, clock).of(ID).forget();
    expect(told).toHaveLength(2);
    breaker.forget();
    expect(told).toHaveLength(3);
  });

  it('a restart begins the distances not anew', async () => {
    const { clock, breaker, profiles } = fresh();
    breaker.opened('endpoint_unreachable');
    for (let looks = 0; looks < 10; looks += 1) await breaker.look(out, true);
    await clock.advance(10_000);
    const later = fresh(clock, profiles).breaker;
    await later.ready();
    expect([later.state, later.leftMs, later.code]).toEqual(['open', 50_000, 'endpoint_unreachable']);
    await later.look(out, true);
    expect(later.leftMs).toBe(60_000);
  });

  it.each([-3 * HOUR_MS, 3 * HOUR_MS, 8 * 24 * HOUR_MS])(
    'LIF-03: a wall clock set by %d ms puts no look off by more than a minute, and none back',
    async (jumpMs) => {
      const { clock, breaker, profiles } = fresh();
      breaker.opened('endpoint_unreachable');
      for (let looks = 0; looks < 10; looks += 1) await breaker.look(out, true);
      clock.jumpWall(jumpMs);
      expect(breaker.leftMs).toBe(60_000);
      const later = fresh(clock, profiles).breaker;
      await later.ready();
      expect(later.leftMs).toBe(jumpMs < 0 ? 60_000 : 0);
    },
  );

  it.each([{ failures: 0 }, { failures: Number.NaN }, { code: 'no_such_code' }, { nextLookMs: Number.NaN }])(
    'a row that makes no sense says nothing: %o',
    async (wrong) => {
      const { clock, profiles } = fresh();
      const row = {
        v: 1,
        id: ID,
        failures: 3,
        code: 'auth_failed',
        sinceMs: 1,
        nextLookMs: clock.now() + 9_000,
      } as const;
      await profiles.putBreaker({ ...row, ...(wrong as object) });
      const { breaker } = fresh(clock, profiles);
      await breaker.ready();
      expect(breaker.state).toBe('closed');
    },
  );

  it('storage that refuses is done without', async () => {
    const { clock } = fresh();
    const refused = () => Promise.reject(new Error('no storage'));
    const breaker = new Breakers({ breaker: refused, putBreaker: refused, removeBreaker: refused }, clock).of(ID);
    await breaker.ready();
    breaker.opened('endpoint_unreachable');
    breaker.succeeded();
    await settle();
    expect(breaker.state).toBe('closed');
  });

  it('looks once for all who look at the same time', async () => {
    const { breaker } = fresh();
    breaker.opened('endpoint_unreachable');
    let looks = 0;
    const look = () => {
      looks += 1;
      return out();
    };
    await Promise.all([breaker.look(look, true), breaker.look(look, true), breaker.look(look, false)]);
    expect(looks).toBe(1);
  });
});

/** Tasks in one worker: `a` and `b` on one endpoint, `c` on another. */
async function worker() {
  const bench = new EngineBench();
  const models = { one: new ScriptedModel(), other: new ScriptedModel() };
  let isUp = false;
  let probes = 0;
  models.one.isReachable = () => {
    probes += 1;
    return isUp ? ok() : fail(failure('endpoint_unreachable'));
  };
  models.one.script(({ matter }) => (isUp ? answer(matter) : fail(failure('endpoint_unreachable'))));
  const folder = new FakeFolder().put('x.txt', 'text x').put('y.txt', 'text y');
  const open = (id: unknown) => Promise.resolve(ok(id === ID ? models.one : models.other));
  const ports = { ...bench.ports, folders: openerOf(folder), models: { open } };
  const ids = { a: taskId('aaaaaaaaaaaa'), b: taskId('bbbbbbbbbbbb'), c: taskId('cccccccccccc') };
  for (const id of Object.values(ids)) {
    const task = { ...newTask(), id, endpointId: id === ids.c ? endpointId('endpoint-2') : ID };
    expect(await bench.store.createTask(task, FAKE_FOLDER_ROW)).toEqual(ok());
  }
  const run = (id: keyof typeof ids) => new TaskRun(ports, ids[id]);
  const status = async (id: keyof typeof ids) => {
    const row = await bench.store.task(ids[id]);
    return row.ok ? `${String(row.value?.status)}/${String(row.value?.reason)}` : row.failure.code;
  };
  return {
    bench,
    models,
    run,
    status,
    get probes() {
      return probes;
    },
    up: () => (isUp = true),
  };
}

describe('tasks of one worker', () => {
  it('wait for their own endpoint only', async () => {
    const { bench, run, status } = await worker();
    void run('a').run({ retryFailed: false });
    const c = run('c').run({ retryFailed: false });
    expect(await bench.clock.run(c)).toEqual(ok());
    expect(await status('a')).toBe('paused/endpoint');
    expect(await status('c')).toBe('completed/null');
  });

  it('look together, and a success of one wakes the other at once', async () => {
    const all = await worker();
    const { bench, run, status, up } = all;
    const a = run('a');
    void a.run({ retryFailed: false });
    void run('b').run({ retryFailed: false });
    await bench.clock.advance(10 * 60_000);
    expect([await status('a'), await status('b')]).toEqual(['paused/endpoint', 'paused/endpoint']);
    // Looks at 2, 6, 14, 30, 62 s, and every minute after that: for both tasks, not for each.
    expect(all.probes).toBeLessThanOrEqual(14);
    up();
    a.wake();
    await bench.clock.advance(100);
    expect([await status('a'), await status('b')]).toEqual(['completed/null', 'completed/null']);
  });

  it('a look of a task that is stopped meanwhile is made again by the other', async () => {
    const { bench, models, run, status, up } = await worker();
    const [a, b] = [run('a'), run('b')];
    void a.run({ retryFailed: false });
    void b.run({ retryFailed: false });
    await bench.clock.advance(1_000);
    const probe = models.one.probe.bind(models.one);
    let isFirst = true;
    models.one.probe = (signal?: AbortSignal) => {
      if (!isFirst) return probe();
      isFirst = false;
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')), { once: true });
      });
    };
    a.wake();
    await settle();
    b.wake();
    await settle();
    up();
    a.stop('pause');
    await bench.clock.advance(5_000);
    expect([await status('a'), await status('b')]).toEqual(['paused/user', 'completed/null']);
  });

  it('another owner does not ask a dead server at once, unless the person says so', async () => {
    const bench = new EngineBench();
    bench.folder.put('x.txt', 'text x');
    bench.model.isReachable = () => fail(failure('endpoint_unreachable'));
    bench.model.script(() => fail(failure('endpoint_unreachable')));
    await bench.createTask();
    const begin = (isAsked: boolean) => {
      const breakers = new Breakers(bench.profiles, bench.clock);
      void new TaskRun({ ...bench.ports, breakers }, newTask().id).run({ retryFailed: false, isAsked });
      return bench.clock.advance(10);
    };
    await begin(false);
    expect([(await bench.task()).status, bench.model.calls.length]).toEqual(['paused', 1]);
    const why = (await bench.task()).failure;
    for (let lives = 0; lives < 5; lives += 1) await begin(false);
    expect(bench.model.calls.length).toBe(1);
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'endpoint', failure: why });
    await begin(true);
    expect(bench.model.calls.length).toBe(2);
  });
});
