import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FaultPlan } from '../../core/fault-points';
import { EngineBench, TASK } from '../../testing/engine-bench';
import { OwnedTask } from '../owned-task';
import { Wakeup } from '../wakeup';
import { answerEffects } from './answer-effects';
import { folderWrites } from './folder-writes';
import { OutputFiles } from './output-files';

const PATHS = ['report.md', 'results/a.md', 'results/b.md'] as const;
type Path = (typeof PATHS)[number];

/** What comes at one of the moments that a pass goes through. */
interface Event {
  readonly at: number;
  readonly what: 'kill' | 'edit' | 'delete';
  readonly path: Path;
}

/** One owner's try to write the output, what happens meanwhile, and what the person says afterwards. */
interface Pass {
  readonly versions: readonly number[];
  readonly events: readonly Event[];
  readonly answer: 'overwrite' | 'keep' | 'nothing';
}

const event = fc.record<Event>({
  at: fc.nat(20),
  what: fc.constantFrom('kill', 'edit', 'delete'),
  path: fc.constantFrom(...PATHS),
});
const pass = fc.record<Pass>({
  versions: fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)),
  events: fc.array(event, { maxLength: 4 }),
  answer: fc.constantFrom('overwrite', 'keep', 'nothing'),
});

class Killed extends Error {}

class World {
  readonly bench = new EngineBench();
  /** What the person said may be written over. */
  readonly #allowed = new Set<string>();
  #moment = 0;
  #edits = 0;
  #events: readonly Event[] = [];

  constructor() {
    const { folder } = this.bench;
    const write = folder.write.bind(folder);
    folder.write = async (path, content) => {
      const held = folder.written.get(path);
      if (held?.startsWith('theirs')) expect(this.#allowed, `${held} is written over`).toContain(held);
      expect(held, 'what is there is written again').not.toBe(content);
      // As the platform does: there is an empty file before there is a whole one.
      if (held === undefined) await write(path, '');
      // An edit between the last look and the writing is one that no platform could tell us of.
      this.#happen(['kill']);
      return write(path, content);
    };
  }

  /** False when the owner was killed. */
  async write(versions: readonly number[], events: readonly Event[]): Promise<boolean> {
    this.#moment = 0;
    this.#events = events;
    const owned = await this.#owner({ reach: () => this.#happen() });
    try {
      const files = await OutputFiles.open(owned, folderWrites(this.bench.folder, owned.ports.digest));
      if (!files.ok) throw new Error(files.failure.code);
      for (const [index, path] of PATHS.entries()) {
        const put = await files.value.put({ path, content: contentOf(path, versions[index] ?? 0) });
        if (!put.ok) throw new Error(put.failure.code);
      }
      const ended = await files.value.end();
      if (!ended.ok) throw new Error(ended.failure.code);
      return true;
    } catch (error) {
      if (error instanceof Killed) return false;
      throw error;
    }
  }

  async answer(answer: 'overwrite' | 'keep'): Promise<void> {
    const asked = await this.waiting();
    for (const { found, target } of asked) {
      const held = this.bench.folder.written.get(target);
      const isStillFound = held !== undefined && found === (await this.#digest(held));
      if (answer === 'overwrite' && isStillFound) this.#allowed.add(held);
    }
    await answerEffects(await this.#owner({ reach: () => undefined }), { questions: asked, answer });
  }

  async waiting() {
    const rows = await this.bench.store.effectsInState(TASK, 'contested', 99);
    if (!rows.ok) throw new Error(rows.failure.code);
    return rows.value;
  }

  #digest(text: string) {
    return this.bench.ports.digest.bytes(new TextEncoder().encode(text));
  }

  #happen(possible: readonly Event['what'][] = ['kill', 'edit', 'delete']): void {
    const now = this.#moment;
    this.#moment += 1;
    for (const { at, what, path } of this.#events) {
      if (at !== now || !possible.includes(what)) continue;
      if (what === 'kill') throw new Killed();
      this.#edits += 1;
      if (what === 'delete') this.bench.folder.written.delete(path);
      else this.bench.folder.written.set(path, `theirs ${String(this.#edits)}`);
    }
  }

  async #owner(faults: FaultPlan): Promise<OwnedTask> {
    const taken = await this.bench.store.own(TASK, 0);
    if (!taken.ok) throw new Error(taken.failure.code);
    return new OwnedTask({ ...this.bench.ports, faults }, taken.value, new AbortController().signal, new Wakeup());
  }
}

const contentOf = (path: Path, version: number) => `ours ${path} ${String(version)}`;

it('whatever ends it and whoever edits meanwhile, a file is ours or theirs, and nothing of theirs is lost unasked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pass, { minLength: 1, maxLength: 4 }), async (passes) => {
      const world = new World();
      await world.bench.createTask();
      for (const { versions, events, answer } of passes) {
        await world.write(versions, events);
        if (answer !== 'nothing') await world.answer(answer);
      }
      const last = [0, 1, 2];
      expect(await world.write(last, [])).toBe(true);
      await world.answer('overwrite');
      expect(await world.write(last, [])).toBe(true);
      expect(await world.waiting()).toEqual([]);
      const left = await world.bench.store.effectsInState(TASK, 'intended', 99);
      expect(left.ok && left.value).toEqual([]);
      for (const [index, path] of PATHS.entries()) {
        const held = world.bench.folder.written.get(path) ?? 'nothing';
        // What was written once and then edited, or kept by the person, stays; nothing else may be left.
        if (!held.startsWith('theirs')) expect(held).toBe(contentOf(path, last[index] ?? 0));
      }
    }),
    { numRuns: 100 },
  );
}, 30_000);

it('many files take two strict commits for sixty-four of them', async () => {
  const world = new World();
  await world.bench.createTask();
  const durabilities: string[] = [];
  const commit = world.bench.store.commit.bind(world.bench.store);
  world.bench.store.commit = (each) => {
    durabilities.push(`${each.durability} ${each.effects.length}`);
    return commit(each);
  };
  const owned = new OwnedTask(world.bench.ports, await world.bench.task(), new AbortController().signal, new Wakeup());
  const files = await OutputFiles.open(owned, folderWrites(world.bench.folder, world.bench.ports.digest));
  if (!files.ok) throw new Error(files.failure.code);
  for (let n = 0; n < 130; n += 1) await files.value.put({ path: `results/${String(n)}.md`, content: String(n) });
  const ended = await files.value.end();
  expect(ended.ok && ended.value).toEqual({ written: 130, waiting: 0 });
  expect(durabilities).toEqual(['strict 64', 'strict 64', 'strict 64', 'strict 64', 'strict 2', 'strict 2']);
});
