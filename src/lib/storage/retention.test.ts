import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { FORK_BEGIN } from '../core/fork-origin';
import { folderId, taskId } from '../core/ids';
import { ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import { SAMPLE_TIME_MS, sampleFolder, sampleTask } from '../testing/sample-rows';
import { MemoryCheckpointStore } from './checkpoint-store-memory';
import { valueOf } from './checkpoint-store.conformance';
import {
  expiredTasks,
  judgeSweep,
  nextExpiry,
  sweepExpired,
  type Exclusively,
  type SweepMemory,
  type SweepNote,
  type SweptStore,
} from './retention';

const DAY_MS = 86_400_000;
const done = (fields: Partial<TaskRow> = {}) =>
  sampleTask({ status: 'completed', finishedMs: SAMPLE_TIME_MS, ...fields });

describe('nextExpiry', () => {
  it('is the given number of days after the last change of a finished task', () => {
    expect(nextExpiry(done(), 30)).toBe(SAMPLE_TIME_MS + 30 * DAY_MS);
    expect(nextExpiry(done({ updatedMs: SAMPLE_TIME_MS + 5 }), 30)).toBe(SAMPLE_TIME_MS + 5 + 30 * DAY_MS);
    for (const status of ['failed', 'cancelled'] as const) expect(nextExpiry(done({ status }), 1)).not.toBeNull();
  });

  it('seed defect 27: is never for unfinished tasks, for a retention of 0, and for dates of a clock that was not set', () => {
    for (const status of ['pending', 'running', 'paused'] as const) expect(nextExpiry(done({ status }), 1)).toBeNull();
    expect(nextExpiry(done(), 0)).toBeNull();
    expect(nextExpiry(done({ createdMs: 0, updatedMs: 1_000, finishedMs: 1_000 }), 1)).toBeNull();
  });

  it('is not before the grace is over', () => {
    expect(nextExpiry(done(), 1, SAMPLE_TIME_MS + 9 * DAY_MS)).toBe(SAMPLE_TIME_MS + 9 * DAY_MS);
  });
});

describe('expiredTasks', () => {
  it('takes only what is over, and nothing that was changed in the future', () => {
    const now = SAMPLE_TIME_MS + 10 * DAY_MS;
    const tasks = [
      done({ id: taskId('over') }),
      done({ id: taskId('recent'), updatedMs: now - DAY_MS }),
      done({ id: taskId('future'), updatedMs: now + 900 * DAY_MS }),
      done({ id: taskId('exact'), updatedMs: now - 7 * DAY_MS, createdMs: 0 }),
    ];
    expect(expiredTasks(tasks, 7, now).map((task) => task.id)).toEqual(['over']);
  });
});

describe('judgeSweep', () => {
  const note: SweepNote = { lastMs: SAMPLE_TIME_MS, heldUntilMs: 0 };

  it('deletes in daily use', () => {
    expect(judgeSweep(note, SAMPLE_TIME_MS + DAY_MS).mayDelete).toBe(true);
  });

  it.each([
    ['the first sweep', null, SAMPLE_TIME_MS],
    ['a jump of three years', note, SAMPLE_TIME_MS + 1_095 * DAY_MS],
    ['a clock that went back', note, SAMPLE_TIME_MS - 1],
  ])('holds for a day after %s', (_, last, nowMs) => {
    const first = judgeSweep(last, nowMs);
    expect(first).toEqual({ mayDelete: false, note: { lastMs: nowMs, heldUntilMs: nowMs + DAY_MS } });
    expect(judgeSweep(first.note, nowMs + DAY_MS - 1).mayDelete).toBe(false);
    expect(judgeSweep(first.note, nowMs + DAY_MS).mayDelete).toBe(true);
  });

  it('never deletes within a day of a jump, whatever the sweeps', () => {
    const step = fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let current: SweepNote | null = null;
        let nowMs = SAMPLE_TIME_MS;
        let jumpedMs = nowMs;
        for (const by of steps) {
          const last: SweepNote | null = current;
          nowMs += by;
          if (last === null || by < 0 || by > 7 * DAY_MS) jumpedMs = nowMs;
          const judged = judgeSweep(last, nowMs);
          expect(judged.mayDelete).toBe(nowMs - jumpedMs >= DAY_MS);
          current = judged.note;
        }
      }),
    );
  });
});

describe('sweepExpired', () => {
  class Memory implements SweepMemory {
    kept: SweepNote | null = { lastMs: SAMPLE_TIME_MS + 40 * DAY_MS, heldUntilMs: 0 };
    async note(): Promise<Result<SweepNote | null>> {
      return ok(this.kept);
    }
    async putNote(note: SweepNote): Promise<Result<void>> {
      this.kept = note;
      return ok();
    }
  }
  const now = SAMPLE_TIME_MS + 41 * DAY_MS;
  const alone: Exclusively = (_id, work) => work();
  const sweep = (options: Partial<Parameters<typeof sweepExpired>[0]> & { readonly store: SweptStore }) =>
    sweepExpired({ memory: new Memory(), exclusively: alone, retentionDays: 30, nowMs: now, ...options });

  async function filled() {
    const store = new MemoryCheckpointStore();
    for (const [name, fields] of Object.entries({
      old: {},
      running: { status: 'running' as const },
      recent: { updatedMs: now - 3 * DAY_MS },
    })) {
      const folder = sampleFolder({ id: folderId(`folder of ${name}`) });
      valueOf(await store.createTask(done({ id: taskId(name), folderId: folder.id, ...fields }), folder));
    }
    return store;
  }
  const left = async (store: MemoryCheckpointStore) => valueOf(await store.tasks()).map((task) => task.id);

  it('removes what is over and tells which folders went with it', async () => {
    const store = await filled();
    const swept = valueOf(await sweep({ store, memory: new Memory(), nowMs: now }));
    expect(swept.removedTasks).toEqual(['old']);
    expect(swept.removedFolders.map((folder) => folder.id)).toEqual(['folder of old']);
    expect((await left(store)).sort()).toEqual(['recent', 'running']);
  });

  it('spares a task that a fork still copies from', async () => {
    const store = await filled();
    const origin = { taskId: taskId('old'), name: 'old', seq: 3, atMs: now, keepsResults: true };
    const fork = (name: string, forkedFrom: TaskRow['forkedFrom']) =>
      store.createTask(sampleTask({ id: taskId(name), ...(forkedFrom ? { forkedFrom } : {}) }), sampleFolder());
    valueOf(await fork('whole', { ...origin, copying: null }));
    valueOf(await fork('copying', { ...origin, copying: FORK_BEGIN }));
    expect(valueOf(await sweep({ store, memory: new Memory(), retentionDays: 30, nowMs: now })).removedTasks).toEqual(
      [],
    );
    valueOf(await store.removeTask(taskId('copying')));
    expect(valueOf(await sweep({ store, memory: new Memory(), retentionDays: 30, nowMs: now })).removedTasks).toEqual([
      'old',
    ]);
  });

  it('removes nothing when tasks are kept for ever', async () => {
    const store = await filled();
    expect(valueOf(await sweep({ store, memory: new Memory(), retentionDays: 0, nowMs: now })).removedTasks).toEqual(
      [],
    );
    expect(await left(store)).toHaveLength(3);
  });

  it('removes nothing after a jump, and goes on a day later', async () => {
    const store = await filled();
    const memory = new Memory();
    const later = now + 3_650 * DAY_MS;
    expect(valueOf(await sweep({ store, memory, retentionDays: 30, nowMs: later })).removedTasks).toEqual([]);
    expect(await left(store)).toHaveLength(3);
    expect(valueOf(await sweep({ store, memory, retentionDays: 30, nowMs: now })).removedTasks).toEqual([]);
    expect(valueOf(await sweep({ store, memory, retentionDays: 30, nowMs: now + 2 * DAY_MS })).removedTasks).toEqual([
      'old',
    ]);
  });

  it('spares a task that was set going in mid sweep', async () => {
    const store = await filled();
    const stale = valueOf(await store.tasks());
    const woken = valueOf(await store.own(taskId('old'), now));
    const late = { tasks: async () => ok(stale) };
    const swept = await sweep({
      store: {
        tasks: late.tasks,
        task: (id) => store.task(id),
        removeTask: (id) => store.removeTask(id),
        tidy: (beforeMs) => store.tidy(beforeMs),
      },
    });
    expect(valueOf(swept).removedTasks).toEqual([]);
    expect(valueOf(await store.task(woken.id))).toEqual(woken);
  });

  it('deletes as the only holder of the task', async () => {
    const store = await filled();
    const held: string[] = [];
    const exclusively: Exclusively = async (id, work) => {
      held.push(`${id} held`);
      const worked = await work();
      held.push(`${id} let go, ${String((await left(store)).length)} left`);
      return worked;
    };
    expect(valueOf(await sweep({ store, exclusively })).removedTasks).toEqual(['old']);
    expect(held).toEqual(['old held', 'old let go, 2 left']);
  });

  it('LIF-04: one that was frozen in mid sweep deletes no task that was taken up since', async () => {
    const store = await filled();
    let woken = null;
    const frozen: SweptStore = {
      tasks: () => store.tasks(),
      task: (id) => store.task(id),
      removeTask: async (id, epoch) => {
        woken = valueOf(await store.own(id, now));
        return store.removeTask(id, epoch);
      },
      tidy: (beforeMs) => store.tidy(beforeMs),
    };
    expect(valueOf(await sweep({ store: frozen })).removedTasks).toEqual([]);
    expect(valueOf(await store.task(taskId('old')))).toEqual(woken);
  });
});
