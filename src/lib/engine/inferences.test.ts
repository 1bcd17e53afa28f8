import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import { fileStepKey } from '../core/ids';
import type { Begun } from '../core/partial';
import type { CompleteOptions } from '../core/ports';
import { NO_TIMEOUTS, type Completion, type ModelRequest } from '../core/model';
import { fail, ok, type Result } from '../core/result';
import { NO_USAGE } from '../core/usage';
import { EngineBench, newTask, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FAKE_FOLDER_ROW } from '../testing/fake-folder';
import { sampleCommit } from '../testing/sample-rows';
import { answer, ScriptedModel } from '../testing/scripted-model';
import { Gate } from './gate';
import { Inferences, type AskedBy } from './inferences';
import { Permits } from './permits';
import { Refusal } from './refusal';
import { UnsavedAnswers } from './unsaved-answers';

function requestFor(text: string): ModelRequest {
  return {
    messages: [{ role: 'user', content: text }],
    temperature: 0,
    maxTokens: 100,
    material: { what: 'file', text, language: 'en', ask: '' },
  };
}

function latch() {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Answers that come when they are let go, in whatever order. */
function heldAnswers(model: ScriptedModel) {
  const held: ((outcome: Result<Completion>) => void)[] = [];
  model.script(() => new Promise((resolve) => held.push(resolve)));
  return held;
}

function bench({ limit = 4 } = {}) {
  const { store, digest, clock, faults } = new EngineBench().ports;
  const model = new ScriptedModel();
  const gate = new Gate();
  const shown: string[] = [];
  const kept: { begun: Begun | null; isStopped: boolean } = { begun: null, isStopped: false };
  const inferences = new Inferences({
    store,
    digest,
    clock,
    permits: new Permits(limit),
    gate,
    faults,
    taskId: TASK,
    partials: {
      keep: (_hash, _key, _text, begun) => (kept.begun = begun ?? null),
      answered: () => undefined,
      begunOf: () => kept.begun,
      forget: () => (kept.begun = null),
    },
    isStopped: () => kept.isStopped,
    liveText: (_task, key, text) => shown.push(`${key}: ${text}`),
  });
  const ask = (
    text: string,
    { path = 'a.txt', attempt = 1, onRefused = (): void => undefined, current = () => model } = {},
  ) => {
    const heard: string[] = [];
    const stop = new AbortController();
    const unsaved = new UnsavedAnswers();
    const by: AskedBy = {
      key: fileStepKey(path),
      attempt,
      earlier: NO_TIMEOUTS,
      left: attempt > 1 ? [attempt - 1] : [],
      signal: stop.signal,
      current: () => Promise.resolve(ok(current())),
      own: () => Promise.resolve(ok(null)),
      unsaved,
      onReady: () => heard.push('ready'),
      onRequest: () => heard.push('request'),
      onRateWait: () => heard.push('rate'),
      refusal: new Refusal(),
      onRefused: () => {
        heard.push('refused');
        onRefused();
      },
    };
    const answered = inferences.infer(model, requestFor(text), by);
    answered.catch(() => undefined);
    return { answered, heard, stop, unsaved };
  };
  return { store, model, gate, shown, ask, kept };
}

async function valueOf<T>(answered: Promise<Result<T>>): Promise<T> {
  const result = await answered;
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
}

describe('a question that nobody asked before', () => {
  it('goes out once its turn has come, and comes back with the row to store', async () => {
    const { model, ask } = bench();
    model.script(() => answer('Said.'));
    const { answered, heard } = ask('What?');
    const inference = await valueOf(answered);
    expect(heard).toEqual(['ready', 'request']);
    expect(inference).toMatchObject({ text: 'Said.', reused: false, finishReason: 'stop' });
    expect(inference.usage.promptTokens).toBe(10);
    expect(inference.row).toMatchObject({ key: inference.inputHash, reusable: true, output: 'Said.' });
    expect(inference.inputHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('says what streams in, under the step that asked', async () => {
    const { model, shown, ask } = bench();
    model.complete = (
      _request,
      { onText }: Parameters<ScriptedModel['complete']>[1] & { onText?: (text: string) => void },
    ) => {
      onText?.('Sai');
      return Promise.resolve(answer('Said.'));
    };
    await ask('What?', { path: 'b.txt' }).answered;
    expect(shown).toEqual(['file/b.txt: Sai']);
  });

  it.each([1, 2])(
    'goes to the endpoint as it is at last, which was another in between (asked by %i)',
    async (steps) => {
      const { model, ask } = bench({ limit: 2 });
      const another = new ScriptedModel(() => answer('Said by another.'));
      another.identity = 'openai/another';
      const currents = [another, model];
      const asked = Array.from({ length: steps }, () => ask('What?', { current: () => currents.shift() ?? model }));
      const came = Promise.all(asked.map(async ({ answered }) => (await valueOf(answered)).text));
      const hang = settle().then(() => 'waits for itself');
      expect(await Promise.race([came, hang])).toEqual(asked.map(() => 'About: What?'));
      expect([model.calls.length, another.calls.length]).toEqual([1, 0]);
    },
  );

  it('waits while the gate is closed, and does not count as asked', async () => {
    const { model, gate, ask } = bench();
    const open = gate.close();
    const { answered, heard } = ask('What?');
    await settle();
    expect([model.calls.length, heard]).toEqual([0, ['ready']]);
    open();
    await valueOf(answered);
    expect(heard).toEqual(['ready', 'request']);
  });

  it('a store that cannot be read is told, and nothing is asked', async () => {
    const { store, model, ask } = bench();
    store.result = () => Promise.resolve(fail(failure('storage_unavailable')));
    expect(await ask('What?').answered).toMatchObject({ ok: false, failure: { code: 'storage_unavailable' } });
    expect(model.calls).toHaveLength(0);
  });
});

describe('a question that was asked before', () => {
  it('is answered from storage: no request, no turn, no cost', async () => {
    const { store, model, ask } = bench();
    const row = (await valueOf(ask('What?').answered)).row;
    await store.createTask(newTask(), FAKE_FOLDER_ROW);
    const owned = await store.own(TASK, 0);
    if (!owned.ok) throw new Error(owned.failure.code);
    await store.commit(sampleCommit(owned.value, { results: [row] }));
    const again = bench();
    again.store.result = store.result.bind(store);
    const { answered, heard } = again.ask('What?', { path: 'other.txt' });
    expect(await valueOf(answered)).toMatchObject({ text: row.output, reused: true, usage: NO_USAGE });
    expect([again.model.calls.length, heard]).toEqual([0, []]);
    expect(model.calls).toHaveLength(1);
  });

  it('is answered at once while the commit of the first answer is still on its way', async () => {
    const { model, ask } = bench();
    await valueOf(ask('What?').answered);
    expect(await valueOf(ask('What?', { path: 'b.txt' }).answered)).toMatchObject({ reused: true, usage: NO_USAGE });
    expect(model.calls).toHaveLength(1);
  });

  it('joins the one in flight, however many ask', async () => {
    const { model, ask } = bench();
    const held = heldAnswers(model);
    const all = ['a', 'b', 'c'].map((path) => ask('What?', { path }));
    await settle();
    expect(model.calls).toHaveLength(1);
    held[0]?.(answer('Said.'));
    const inferences = await Promise.all(all.map(({ answered }) => valueOf(answered)));
    expect(inferences.map(({ text, reused }) => [text, reused])).toEqual([
      ['Said.', false],
      ['Said.', true],
      ['Said.', true],
    ]);
    expect(model.calls).toHaveLength(1);
  });

  it('of another model is another question', async () => {
    const { model, ask } = bench();
    await valueOf(ask('What?').answered);
    model.identity = 'openai/another';
    expect(await valueOf(ask('What?').answered)).toMatchObject({ reused: false });
    expect(model.calls).toHaveLength(2);
  });
});

describe('what is not handed on', () => {
  it('SSE-12: an answer that was cut has a key of its own, and equal questions ask for themselves', async () => {
    const { model, ask } = bench();
    model.script((_, nth) => answer('half a sen', nth === 3 ? 'stop' : 'length'));
    const cut = await Promise.all(
      [ask('What?').answered, ask('What?', { path: 'b.txt', attempt: 2 }).answered].map(valueOf),
    );
    expect(cut.map(({ row }) => row.reusable)).toEqual([false, false]);
    expect(new Set(cut.map(({ row }) => row.key)).size).toBe(2);
    for (const { row, inputHash } of cut) expect(row.key).toContain(inputHash);
    expect(await valueOf(ask('What?', { path: 'c.txt' }).answered)).toMatchObject({ reused: false });
    expect(model.calls).toHaveLength(3);
  });

  it('a cut answer is given to equal pieces of the same try: they would have it under the same key', async () => {
    const { model, ask } = bench({ limit: 1 });
    model.script(() => answer('Cut', 'length'));
    const asked = [ask('What?'), ask('What?'), ask('What?'), ask('What?', { path: 'b.txt' })];
    const inferences = await Promise.all(
      asked.map(async ({ answered, unsaved }) => valueOf(answered).finally(() => unsaved.drop())),
    );
    expect(model.calls).toHaveLength(2);
    expect(inferences.map(({ reused }) => reused)).toEqual([false, true, true, false]);
    expect(new Set(inferences.slice(0, 3).map(({ resultKey }) => resultKey)).size).toBe(1);
  });

  it('a failure: who waited for it asks for itself', async () => {
    const { model, ask } = bench();
    model.script((_, nth) => (nth === 1 ? fail(failure('server_fault')) : answer('Said.')));
    const [first, second] = [ask('What?'), ask('What?', { path: 'b.txt' })];
    expect(await first.answered).toMatchObject({ ok: false, failure: { code: 'server_fault' } });
    expect(await second.answered).toMatchObject(ok({ reused: false }));
    expect([first.heard.includes('refused'), model.calls.length]).toEqual([false, 2]);
  });

  it('an abort: who waited goes on, and who was aborted while waiting is let go', async () => {
    const { model, ask } = bench();
    const held = heldAnswers(model);
    const [first, second, third] = [ask('What?'), ask('What?', { path: 'b' }), ask('What?', { path: 'c' })];
    await settle();
    third.stop.abort();
    first.stop.abort();
    await expect(first.answered).rejects.toMatchObject({ name: 'AbortError' });
    await settle();
    held[1]?.(answer('Said.'));
    expect(await valueOf(second.answered)).toMatchObject({ text: 'Said.', reused: false });
    await expect(third.answered).rejects.toMatchObject({ name: 'AbortError' });
    expect(model.calls).toHaveLength(2);
  });
});

describe('SSE-24: a server that asks to wait', () => {
  it('is told of before the next in line can ask into the same refusal', async () => {
    const { model, gate, ask } = bench({ limit: 1 });
    const over = latch();
    model.script((_, nth) => (nth === 1 ? fail(failure('rate_limited', { retryAfterMs: 9_000 })) : answer('Said.')));
    const close = () => void over.opened.then(gate.close());
    const [first, second] = [ask('One?', { onRefused: close }), ask('Two?', { path: 'b.txt' })];
    expect(await first.answered).toMatchObject({ ok: false, failure: { code: 'rate_limited' } });
    await settle();
    expect([first.heard.at(-1), model.calls.length, second.heard]).toEqual(['refused', 1, ['ready']]);
    over.open();
    await valueOf(second.answered);
    expect(model.calls).toHaveLength(2);
  });
});

describe('a request that stands in line with its model', () => {
  /** Every request but the first stands in line until it is let out, or recalled. */
  const lined = (model: ScriptedModel) => {
    const line: (() => void)[] = [];
    const plain = model.complete.bind(model);
    model.complete = async (request, options) => {
      if (model.calls.length > 0 && !options.recall?.aborted) {
        await new Promise<void>((resolve, reject) => {
          line.push(resolve);
          options.recall?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
        });
      }
      return plain(request, options);
    };
    return line;
  };

  it('goes back when another of the task is refused, and out once that is over', async () => {
    const { model, gate, ask } = bench({ limit: 2 });
    const refused = latch();
    const over = latch();
    model.script(async (_, nth) => {
      if (nth > 1) return answer('Said.');
      await refused.opened;
      return fail(failure('rate_limited', { retryAfterMs: 9_000 }));
    });
    const line = lined(model);
    const first = ask('One?', { onRefused: () => void over.opened.then(gate.close()) });
    await settle();
    const second = ask('Two?', { path: 'b.txt' });
    await settle();
    expect(line).toHaveLength(1);
    refused.open();
    await first.answered;
    await settle();
    line[0]?.();
    await settle();
    expect([model.calls.length, line.length]).toEqual([1, 1]);
    over.open();
    await settle();
    expect(line).toHaveLength(2);
    line[1]?.();
    expect(await valueOf(second.answered)).toMatchObject({ text: 'Said.' });
    expect(model.calls).toHaveLength(2);
  });
});

describe('a turn', () => {
  it('ends when the answer is saved: until then nobody asks in its place', async () => {
    const { model, ask } = bench({ limit: 1 });
    const saved = latch();
    const first = ask('One?');
    const { resultKey } = await valueOf(first.answered);
    const second = ask('Two?', { path: 'b.txt' });
    first.unsaved.saving(resultKey, saved.opened);
    await settle();
    expect([model.calls.length, second.heard]).toEqual([1, ['ready']]);
    saved.open();
    await valueOf(second.answered);
    expect(model.calls).toHaveLength(2);
  });

  it.each([
    ['a failure', fail(failure('server_fault'))],
    ['an answer that a filter refused', answer('I', 'content_filter')],
  ])('ends at once with %s, which nobody saves', async (_, outcome) => {
    const { model, ask } = bench({ limit: 1 });
    model.script((_call, nth) => (nth === 1 ? outcome : answer('Said.')));
    await ask('One?').answered;
    expect(await valueOf(ask('Two?', { path: 'b.txt' }).answered)).toMatchObject({ text: 'Said.' });
  });
});

describe('an answer that was interrupted', () => {
  const BEGUN: Begun = { content: ' Sa', reasoning: '', tokens: 2, served: null, stream: null };

  /** Fails with `code` once it has begun, and answers the next time. */
  function interrupted(code: FailureCode) {
    const made = bench();
    const asked: CompleteOptions[] = [];
    made.model.complete = (_request, options) => {
      asked.push(options);
      options.onBegun?.(BEGUN);
      if (asked.length === 1) return Promise.resolve(fail(failure(code)));
      const continued = answer('Said.');
      const continuation = { how: 'continued', tokens: 2 } as const;
      return Promise.resolve(continued.ok ? ok({ ...continued.value, continuation }) : continued);
    };
    return { ...made, asked };
  }

  it('is gone on with by the next try, whose stream has another name', async () => {
    const { ask, asked } = interrupted('stream_cut');
    await ask('What?').answered;
    const inference = await valueOf(ask('What?', { attempt: 2 }).answered);
    expect(asked.map(({ begun }) => begun)).toEqual([null, BEGUN]);
    expect(inference).toMatchObject({ continuation: { how: 'continued', tokens: 2 }, reused: false });
    const ids = asked.map(({ stream }) => stream?.id ?? '');
    expect(asked.map(({ stream }) => stream?.left)).toEqual([[], [ids[0]]]);
    expect(ids[0]).toMatch(/^talaria-.+-[0-9a-f]{8}-[0-9a-f]{32}-1$/);
    expect(ids[1]).toBe(ids[0]?.replace(/1$/, '2'));
  });

  it('has a stream that no other step takes for its own', async () => {
    const { ask, asked } = interrupted('stream_cut');
    await ask('What?').answered;
    await ask('What?', { path: 'b.txt' }).answered;
    const ids = asked.map(({ stream }) => stream?.id);
    expect(new Set(ids).size).toBe(2);
  });

  it('counts as one that was gone on with once, however many ask', async () => {
    const { ask } = interrupted('stream_cut');
    await ask('What?').answered;
    await ask('What?', { attempt: 2 }).answered;
    expect(await valueOf(ask('What?', { path: 'b.txt' }).answered)).toMatchObject({ continuation: null });
  });

  it.each(['empty_response', 'content_refused', 'stream_malformed'] as const)(
    'is begun anew when it had come to its end with %s',
    async (code) => {
      const { ask, asked } = interrupted(code);
      await ask('What?').answered;
      await ask('What?', { attempt: 2 }).answered;
      expect(asked.map(({ begun }) => begun)).toEqual([null, null]);
    },
  );

  it('is wanted no more once the person has stopped the task', async () => {
    const { ask, asked, kept } = interrupted('stream_cut');
    await ask('What?').answered;
    expect(asked[0]?.stream?.isUnwanted()).toBe(false);
    kept.isStopped = true;
    expect(asked[0]?.stream?.isUnwanted()).toBe(true);
  });
});
