import { describe, expect, it } from 'vitest';
import type { Model } from '../../core/ports';
import { ok } from '../../core/result';
import { EngineBench, TASK } from '../../testing/engine-bench';

/** Says a few words of every answer and then nothing more. */
const halting: Model = {
  identity: 'openai/scripted',
  contextTokens: null,
  probe: () => Promise.resolve(ok()),
  complete: (_, { signal, onText }) => {
    onText?.('The beginning of');
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
  },
};

class HaltingBench extends EngineBench {
  isHalting = true;
  constructor() {
    super({ models: { open: () => Promise.resolve(ok(this.isHalting ? halting : this.model)) } });
  }

  async kept() {
    const read = await this.store.partials(TASK);
    if (!read.ok) throw new Error(read.failure.code);
    return read.value;
  }
}

async function interrupted() {
  const made = new HaltingBench();
  made.folder.put('a.txt', 'One text.');
  await made.createTask();
  const run = made.newRun();
  const ended = run.run({ retryFailed: false });
  await made.clock.advance(6_000);
  made.isHalting = false;
  return { made, run, ended };
}

describe('an answer that is cut off', () => {
  it('is kept by a pause, and goes with the commit of the finished one', async () => {
    const { made, run, ended } = await interrupted();
    expect((await made.kept()).map(({ text }) => text)).toEqual(['The beginning of']);
    run.stop('pause');
    await made.clock.run(ended);
    expect(await made.kept()).toHaveLength(1);
    expect((await made.task()).interruptions).toBeUndefined();
    await made.run();
    expect(await made.task()).toMatchObject({ status: 'completed', counts: { done: 1 } });
    expect(await made.kept()).toEqual([]);
  });

  it('is kept when its owner dies, which counts as an interruption', async () => {
    const { made } = await interrupted();
    await made.run();
    const task = await made.task();
    expect(task).toMatchObject({ status: 'completed', interruptions: 1, recovery: { inFlight: 1 } });
    expect(await made.kept()).toEqual([]);
  });
});
