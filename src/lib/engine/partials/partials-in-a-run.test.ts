import { describe, expect, it } from 'vitest';
import { failure } from '../../core/failure';
import { fileStepKey } from '../../core/ids';
import type { ModelRequest } from '../../core/model';
import type { Begun } from '../../core/partial';
import type { CompleteOptions, Model } from '../../core/ports';
import { fail, ok } from '../../core/result';
import { EngineBench, TASK } from '../../testing/engine-bench';

const BEGUN: Begun = { content: ' The beginning of', reasoning: '', tokens: 30, served: 'hermes', stream: null };

/** Says a few words of every answer and then nothing more. */
const halting: Model = {
  identity: 'openai/scripted',
  contextTokens: null,
  probe: () => Promise.resolve(ok()),
  complete: (_, { signal, onText, onBegun }) => {
    onBegun?.(BEGUN);
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

/** Goes on with what it is told was there, as a model whose server can. */
function continuing(made: EngineBench, cut: (asked: number) => boolean = () => false) {
  const asked: CompleteOptions[] = [];
  const answerOf = made.model.complete.bind(made.model);
  made.model.complete = async (request: ModelRequest, options) => {
    if (request.material.what === 'file') asked.push(options);
    if (cut(asked.length)) {
      options.onBegun?.(BEGUN);
      return fail(failure('stream_cut'));
    }
    const answered = await answerOf(request, options);
    const { begun } = options;
    return answered.ok && begun
      ? ok({ ...answered.value, continuation: { how: 'continued', tokens: begun.tokens } })
      : answered;
  };
  return asked;
}

describe('an answer that is gone on with', () => {
  const SAVED = { reattached: 0, continued: 1, tokens: 30 };

  it('after a death is counted once: on its step, on the task, and in what is told of the interruption', async () => {
    const { made } = await interrupted();
    expect((await made.kept())[0]).toMatchObject({ begun: BEGUN, tokens: 30 });
    const asked = continuing(made);
    await made.run();
    expect(asked.map(({ begun, stream }) => [begun, stream?.left])).toEqual([[BEGUN, [asked[0]?.stream?.id]]]);
    expect(await made.task()).toMatchObject({
      status: 'completed',
      saved: SAVED,
      recovery: { continuedTokens: 30, repeated: 0 },
    });
    const step = await made.store.step(TASK, fileStepKey('a.txt'));
    expect(step).toMatchObject({ value: { status: 'done', saved: SAVED } });
  });

  it('after a pause is gone on with as well', async () => {
    const { made, run, ended } = await interrupted();
    run.stop('pause');
    await made.clock.run(ended);
    const asked = continuing(made);
    await made.run();
    expect(asked.map(({ begun }) => begun)).toEqual([BEGUN]);
    expect(await made.task()).toMatchObject({ saved: SAVED });
  });

  it('in mid run, when only its stream was cut', async () => {
    const made = new EngineBench();
    made.folder.put('a.txt', 'One text.');
    await made.createTask();
    const asked = continuing(made, (nth) => nth === 1);
    await made.run();
    expect(asked.map(({ begun }) => begun)).toEqual([null, BEGUN]);
    const task = await made.task();
    expect(task).toMatchObject({ status: 'completed', saved: SAVED, recovery: null });
  });

  it('leaves nothing on a task that was not interrupted', async () => {
    const made = new EngineBench();
    made.folder.put('a.txt', 'One text.');
    await made.createTask();
    continuing(made);
    await made.run();
    expect(await made.task()).not.toHaveProperty('saved');
    expect(await made.store.step(TASK, fileStepKey('a.txt'))).not.toHaveProperty('value.saved');
  });
});
