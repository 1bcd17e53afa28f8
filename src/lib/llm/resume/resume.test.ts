import { describe, expect, it } from 'vitest';
import { modelAt, QUICK, requestFor } from '../../../../tests/support/model-fixtures';
import { hanging, RecordedFetch, refused, streamed } from '../../../../tests/support/recorded-fetch';
import type { Capabilities } from '../../core/capabilities';
import type { RequestClocks } from '../../core/model';
import type { Begun } from '../../core/partial';
import type { StreamNaming } from '../../core/ports';

const CHAT = 'POST /v1/chat/completions';
const LOOKUP = 'POST /v1/streams/lookup';
const STREAM = 'GET /v1/stream';
const MODEL = 'stories.gguf';

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const said = (content: string, more: object = {}) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }], model: MODEL, ...more });
const thought = (text: string) =>
  event({ choices: [{ index: 0, delta: { reasoning_content: text }, finish_reason: null }], model: MODEL });
const finish = (reason = 'stop') => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }], model: MODEL });
const usage = (prompt: number, completion: number) =>
  event({ choices: [], model: MODEL, usage: { prompt_tokens: prompt, completion_tokens: completion } });
const DONE = 'data: [DONE]\n\n';

const FIRST = [' Once', ' upon', ' a', ' time', ' there', ' was', ' a', ' little', ' 猫', ' with'].map((each) =>
  said(each),
);
const REST = [' a', ' red', ' hat', '.'].map((each) => said(each));
const TEXT = 'Once upon a time there was a little 猫 with a red hat.';
const KEPT = ' Once upon a time there was a little 猫 with';
const END = finish() + usage(20, 14) + DONE;
const lengthOf = (text: string) => new TextEncoder().encode(text).length;

const llamaCpp = { reattaching: 'query', continuing: 'fields' } as Capabilities;
const only = (continuing: Capabilities['continuing']) => ({ reattaching: null, continuing }) as Capabilities;
const naming = (more: Partial<StreamNaming> = {}): StreamNaming => ({
  id: 'task-1-h1-1',
  left: [],
  isUnwanted: () => false,
  ...more,
});

function bench(capabilities: Capabilities | null = llamaCpp) {
  const server = new RecordedFetch();
  const model = modelAt(
    { url: 'http://127.0.0.1:8080/v1' },
    { model: MODEL, fetch: server.fetch, key: 'sk-1', ...(capabilities && { capabilities }) },
  );
  const left: Begun[] = [];
  const ask = async (
    begun: Begun | null,
    stream: StreamNaming = begun === null ? naming() : naming({ id: 'task-1-h1-2', left: ['task-1-h1-1'] }),
    signal = new AbortController().signal,
    clocks: RequestClocks = QUICK,
  ) => {
    const shown: string[] = [];
    const result = await model.complete(requestFor('Tell a story', { maxTokens: 100 }), {
      signal,
      clocks,
      begun,
      onBegun: (each) => left.push(each),
      onText: (text) => shown.push(text),
      stream,
    });
    return { result, shown };
  };
  /** What is left of an answer that broke off behind `bytes`. */
  const interrupted = async (bytes: string) => {
    server.on(CHAT, () => streamed(bytes, 'broken'));
    const { result } = await ask(null);
    expect(result).toMatchObject({ ok: false, failure: { code: 'stream_cut' } });
    server.calls.length = 0;
    server.on(CHAT, () => refused(500, 'must not be asked'));
    return left.at(-1) ?? null;
  };
  return { server, ask, left, interrupted };
}

const found = (id: string, bytes: number) => () =>
  Response.json([{ conversation_id: id, is_done: false, total_bytes: bytes, started_at: 1, completed_at: 0 }]);
const nothingFound = () => Response.json([]);

describe('an answer that breaks off', () => {
  it('leaves what came of it as it came, and the place of its stream', async () => {
    const { interrupted } = bench();
    const bytes = FIRST.join('');
    expect(await interrupted(`${bytes}data: {"choi`)).toEqual({
      content: KEPT,
      reasoning: '',
      tokens: 10,
      served: MODEL,
      stream: {
        baseUrl: 'http://127.0.0.1:8080/v1',
        id: 'task-1-h1-1',
        offset: lengthOf(bytes),
        last: { from: lengthOf(bytes) - lengthOf(said(' with')), data: said(' with').slice(6, -2) },
        before: { characters: 0, tokens: 0 },
      },
    });
  });

  it('is an interruption as well when it just ends without a finish reason', async () => {
    const { server, ask, left } = bench();
    server.on(CHAT, () => streamed(FIRST.join('')));
    expect((await ask(null)).result).toMatchObject({ ok: false, failure: { code: 'stream_cut' } });
    expect(left.at(-1)?.content).toBe(KEPT);
  });

  it('has its stream named to servers alone that keep streams', async () => {
    for (const [capabilities, id] of [
      [llamaCpp, 'task-1-h1-1'],
      [only('fields'), null],
      [null, null],
    ] as const) {
      const { server, ask } = bench(capabilities);
      server.on(CHAT, () => streamed(FIRST.join('') + REST.join('') + END));
      expect((await ask(null)).result).toMatchObject({ ok: true, value: { continuation: null } });
      expect(server.to(CHAT)[0]?.headers.get('x-conversation-id')).toBe(id);
      expect(server.calls).toHaveLength(1);
    }
  });
});

describe('a stream that is taken up again', () => {
  it('goes on at the byte where it was left, with nothing generated again', async () => {
    const { server, ask, interrupted } = bench();
    const begun = await interrupted(FIRST.join(''));
    const all = FIRST.join('') + REST.join('') + END;
    server.on(LOOKUP, found('task-1-h1-1', lengthOf(FIRST.join('') + REST.slice(0, 2).join(''))));
    server.on(STREAM, ({ path }) => {
      const from = Number(new URL(path, 'http://x').searchParams.get('from'));
      return streamed(new TextEncoder().encode(all).slice(from));
    });
    const { result, shown } = await ask(begun);
    expect(result).toMatchObject({
      ok: true,
      value: {
        text: TEXT,
        finishReason: 'stop',
        continuation: { how: 'reattached', tokens: 12 },
        usage: { promptTokens: 20, completionTokens: 14, estimated: false },
      },
    });
    expect(shown[0]).toBe(`${KEPT.trim()} a`);
    expect(server.to(CHAT)).toHaveLength(0);
    expect(server.to(STREAM)[0]?.path).toContain(`from=${String(begun?.stream?.last?.from)}`);
    expect(server.to(LOOKUP)[0]?.body.conversation_ids).toContain('task-1-h1-1');
    expect(server.to(STREAM)[0]?.headers.get('authorization')).toBe('Bearer sk-1');
  });

  it('is found though nothing of it was ever written down', async () => {
    const { server, ask } = bench();
    server.on(LOOKUP, found('task-1-h1-1', lengthOf(FIRST.join(''))));
    server.on(STREAM, () => streamed(FIRST.join('') + REST.join('') + END));
    const { result } = await ask(null, naming({ left: ['task-1-h1-1'] }));
    expect(result).toMatchObject({ ok: true, value: { text: TEXT, continuation: { how: 'reattached', tokens: 10 } } });
    expect([server.to(CHAT).length, server.to(STREAM)[0]?.path]).toEqual([0, '/v1/stream?conv_id=task-1-h1-1&from=0']);
  });

  it.each([
    ['bytes are counted otherwise', () => streamed(said(' something else') + REST.join('') + END)],
    ['it does not reach so far', () => streamed('')],
  ])('is read from its beginning when %s', async (_, atOffset) => {
    const { server, ask, interrupted } = bench();
    const begun = await interrupted(FIRST.join(''));
    server.on(LOOKUP, found('task-1-h1-1', 9_000));
    server.on(STREAM, atOffset, () => streamed(FIRST.join('') + REST.join('') + END));
    const { result } = await ask(begun);
    expect(result).toMatchObject({ ok: true, value: { text: TEXT, continuation: { how: 'reattached' } } });
    expect(server.to(STREAM).map(({ path }) => path.split('from=')[1])).toEqual([
      String(begun?.stream?.last?.from),
      '0',
    ]);
  });

  it('knows the older addresses', async () => {
    const { server, ask, interrupted } = bench({ ...llamaCpp, reattaching: 'path' });
    const begun = await interrupted(FIRST.join(''));
    server.on('GET /v1/streams', found('task-1-h1-1', 10));
    server.on('GET /v1/stream/task-1-h1-1', () => streamed(said(' with') + REST.join('') + END));
    expect((await ask(begun)).result).toMatchObject({ ok: true, value: { text: TEXT } });
    expect(server.to(CHAT)).toHaveLength(0);
  });

  it('breaks off again, and is taken up from there', async () => {
    const { server, ask, interrupted, left } = bench();
    const begun = await interrupted(FIRST.join(''));
    server.on(LOOKUP, found('task-1-h1-1', 9_000));
    server.on(STREAM, () => streamed(said(' with') + REST.slice(0, 2).join(''), 'broken'));
    expect((await ask(begun)).result).toMatchObject({ ok: false, failure: { code: 'stream_cut' } });
    const further = left.at(-1) ?? null;
    expect(further).toMatchObject({
      content: `${KEPT} a red`,
      stream: { id: 'task-1-h1-1', offset: lengthOf(FIRST.join('') + REST.slice(0, 2).join('')) },
    });
    server.on(STREAM, () => streamed(said(' red') + REST.slice(2).join('') + END));
    expect((await ask(further)).result).toMatchObject({ ok: true, value: { text: TEXT } });
  });
});

describe('a stream that does not go on', () => {
  const LATE = 20;
  const [half, more] = [FIRST.join(''), FIRST.join('') + REST.slice(0, 2).join('')];
  const signal = new AbortController().signal;
  const stalling = async (capabilities: Capabilities, second: string) => {
    const { server, ask, left } = bench(capabilities);
    server.on(CHAT, (call) => hanging(call, half));
    const first = await ask(null, naming(), signal, { ...QUICK, idleMs: LATE });
    expect(first.result).toMatchObject({ ok: false, failure: { code: 'idle_timeout' } });
    server.on(LOOKUP, found('task-1-h1-1', 9_000)).on(STREAM, (call) => hanging(call, second));
    const again = naming({ id: 'task-1-h1-2', left: ['task-1-h1-1'] });
    const late = { ...QUICK, idleMs: LATE, ...(second === said(' with') && { firstTokenMs: LATE }) };
    const { result } = await ask(left.at(-1) ?? null, again, signal, late);
    expect(result).toMatchObject({ ok: false });
    expect(server.to('DELETE /v1/stream')).toEqual([]);
    server.calls.length = 0;
    server.on(CHAT, () => streamed(FIRST.join('') + REST.join('') + END));
    server.on(STREAM, () => streamed(said(' red') + REST.slice(2).join('') + END));
    return { server, third: () => ask(left.at(-1) ?? null, naming({ id: 'task-1-h1-3', left: ['task-1-h1-2'] })) };
  };
  const routes = (calls: readonly { method: string; path: string }[]) =>
    calls.map(({ method, path }) => `${method} ${path.split('&')[0] ?? ''}`);

  it('is ended at the server after two tries that waited for it in vain, and the answer asked for anew', async () => {
    const { server, third } = await stalling({ ...llamaCpp, continuing: null }, said(' with'));
    expect((await third()).result).toMatchObject({ ok: true, value: { text: TEXT, continuation: null } });
    expect(routes(server.calls)).toEqual(['DELETE /v1/stream?conv_id=task-1-h1-1', LOOKUP, CHAT]);
    expect(server.to(LOOKUP)[0]?.body.conversation_ids).not.toContain('task-1-h1-1');
    expect(server.to(CHAT)[0]?.headers.get('x-conversation-id')).toBe('task-1-h1-3');
  });

  it('has its text gone on with by a new one where the server can', async () => {
    const { server, third } = await stalling(llamaCpp, said(' with'));
    server.on(CHAT, () => streamed(REST.join('') + finish() + usage(30, 4) + DONE));
    expect((await third()).result).toMatchObject({
      ok: true,
      value: { text: TEXT, continuation: { how: 'continued' } },
    });
    expect(routes(server.calls)).toEqual(['DELETE /v1/stream?conv_id=task-1-h1-1', LOOKUP, CHAT]);
  });

  it('is read on when the second try had more of it', async () => {
    const { server, third } = await stalling(llamaCpp, more.slice(half.length - said(' with').length));
    expect((await third()).result).toMatchObject({
      ok: true,
      value: { text: TEXT, continuation: { how: 'reattached' } },
    });
    expect(server.to('DELETE /v1/stream')).toEqual([]);
  });
});

describe('the next way is taken by itself', () => {
  it.each([
    ['after a restart of the server, which has no streams then', { lookup: nothingFound }],
    [
      'when the stream expired between the look and the question',
      { stream: () => refused(404, 'Stream not found or expired') },
    ],
    ['when its beginning is gone', { stream: () => refused(400, 'Stream offset lost, please restart') }],
    ['when it was ended without an answer', { stream: () => streamed('') }],
    [
      'when the server failed in it',
      { stream: () => streamed(said(' with') + event({ error: { message: 'slot died' } })) },
    ],
  ])(
    '%s',
    async (
      _,
      {
        lookup = found('task-1-h1-1', 9_000),
        stream = () => refused(404, 'none'),
      }: {
        lookup?: () => Response;
        stream?: () => Response;
      },
    ) => {
      const { server, ask, interrupted } = bench();
      const begun = await interrupted(FIRST.join(''));
      server.on(LOOKUP, lookup).on(STREAM, stream);
      server.on(CHAT, () => streamed(REST.join('') + finish() + usage(30, 4) + DONE));
      const { result } = await ask(begun);
      expect(result).toMatchObject({
        ok: true,
        value: {
          text: TEXT,
          continuation: { how: 'continued', tokens: 10 },
          usage: { promptTokens: 20, completionTokens: 14, estimated: true },
        },
      });
      expect(server.to(CHAT)).toHaveLength(1);
      expect(server.to(CHAT)[0]?.body).toMatchObject({
        continue_final_message: true,
        add_generation_prompt: false,
        max_tokens: 90,
        messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant', content: KEPT }],
      });
    },
  );

  it('a server that cannot be reached is a failure like any other: nothing is asked anew behind its back', async () => {
    const { server, ask, interrupted } = bench();
    const begun = await interrupted(FIRST.join(''));
    server.on(LOOKUP, () => refused(503, 'Loading model', 'unavailable_error'));
    expect((await ask(begun)).result).toMatchObject({ ok: false, failure: { code: 'endpoint_loading' } });
    expect(server.to(CHAT)).toHaveLength(0);
  });
});

describe('a continued answer', () => {
  const goOn = async (way: Capabilities['continuing'], reply: () => Response, first = FIRST.join('')) => {
    const { server, ask, interrupted, left } = bench(only(way));
    const begun = await interrupted(first);
    const route = way === 'completions' ? 'POST /v1/completions' : CHAT;
    server.on(CHAT, () => streamed(said('Anew.') + finish() + usage(20, 2) + DONE));
    server.on(route, reply, () => streamed(said('Anew.') + finish() + usage(20, 2) + DONE));
    return { ...(await ask(begun)), server, left, ask, begun };
  };
  const rest = () => streamed(REST.join('') + finish() + usage(30, 4) + DONE);

  it('is asked for by its last message alone where the server knows no fields', async () => {
    const { result, server } = await goOn('prefill', rest);
    expect(result).toMatchObject({ ok: true, value: { text: TEXT, continuation: { how: 'continued' } } });
    expect(server.calls[0]?.body).not.toHaveProperty('continue_final_message');
  });

  it('is asked for as bare text', async () => {
    const text = (each: string) => event({ choices: [{ index: 0, text: each, finish_reason: null }], model: MODEL });
    const ended = event({ choices: [{ index: 0, text: '', finish_reason: 'stop' }], model: MODEL });
    const { result, server } = await goOn('completions', () => streamed(text(' a red') + text(' hat.') + ended + DONE));
    expect(result).toMatchObject({ ok: true, value: { text: TEXT } });
    expect(server.calls[0]).toMatchObject({ path: '/v1/completions' });
    expect(server.calls[0]?.body).toMatchObject({
      prompt: `<|im_start|>system\nAnswer briefly.<|im_end|>\n<|im_start|>user\nTell a story<|im_end|>\n<|im_start|>assistant\n${KEPT}`,
      stop: ['<|im_end|>'],
      max_tokens: 90,
    });
  });

  it('holds the kept text once, though a server that does not stream sends all of it', async () => {
    const message = { role: 'assistant', content: `${KEPT} a red hat.` };
    const whole = { choices: [{ index: 0, message, finish_reason: 'stop' }], model: MODEL };
    expect((await goOn('prefill', () => Response.json(whole))).result).toMatchObject({
      ok: true,
      value: { text: TEXT },
    });
  });

  it.each([
    [400, 'Cannot have 2 or more assistant messages at the end of the list.'],
    [400, 'Assistant response prefill is incompatible with enable_thinking.'],
    [400, 'Cannot set both `continue_final_message` and `add_generation_prompt` to True.'],
    [422, 'Extra inputs are not permitted: continue_final_message'],
    [500, 'Conversation roles must alternate'],
  ])(
    'that the server refuses (%i %s) is asked for whole, and nothing is continued there any more',
    async (status, words) => {
      const { result, server, ask, begun } = await goOn('fields', () => refused(status, words));
      expect(result).toMatchObject({ ok: true, value: { text: 'Anew.', continuation: null } });
      expect(server.calls).toHaveLength(2);
      await ask(begun);
      expect(server.calls.map(({ body }) => 'continue_final_message' in body)).toEqual([true, false, false]);
    },
  );

  it('that does not fit is asked for whole, and others are continued as before', async () => {
    const overflow = 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it';
    const { result, server, ask, begun } = await goOn('fields', () => refused(400, overflow));
    expect(result).toMatchObject({ ok: true, value: { text: 'Anew.' } });
    await ask(begun);
    expect(server.calls.map(({ body }) => 'continue_final_message' in body)).toEqual([true, false, true]);
  });

  it('is never glued from two answers: a server that begins anew is asked for a whole one', async () => {
    const { result, server, left } = await goOn('fields', () => streamed(FIRST.join('') + REST.join('') + END));
    expect(result).toMatchObject({ ok: true, value: { text: 'Anew.', continuation: null } });
    expect(server.calls).toHaveLength(2);
    expect(left.map(({ content }) => content)).not.toContainEqual(expect.stringContaining('with Once'));
  });

  it('may begin with the words that the answer began with', async () => {
    const again = [' Once', ' upon', ' the', ' roof', '.'].map((each) => said(each)).join('');
    const { result } = await goOn('fields', () => streamed(again + finish() + DONE));
    expect(result).toMatchObject({ ok: true, value: { text: `${KEPT.trim()} Once upon the roof.` } });
    const short = await goOn('fields', () => streamed(said(' Once') + finish() + DONE));
    expect(short.result).toMatchObject({ ok: true, value: { text: `${KEPT.trim()} Once` } });
  });

  it('is not taken from another model than the one that began it', async () => {
    const other = event({ choices: [{ index: 0, delta: { content: ' a dog' }, finish_reason: null }], model: 'other' });
    const { result } = await goOn('fields', () => streamed(other + finish() + DONE));
    expect(result).toMatchObject({ ok: true, value: { text: 'Anew.' } });
  });

  it.each([
    ['thinking that the server tells apart', [...FIRST.map(() => thought('Hm. ')), thought('So.')].join('')],
    ['a few words', FIRST.slice(0, 3).join('')],
  ])('is begun anew when there is only %s', async (_, first) => {
    const { result, server } = await goOn('fields', rest, first);
    expect(result).toMatchObject({ ok: true, value: { continuation: null } });
    expect(server.calls[0]?.body.messages).toHaveLength(2);
  });

  it('goes on within thinking, which is not shown', async () => {
    const first = ['<think>', 'The', ' user', ' wants', ' a', ' story', ' of', ' a', ' cat', '.'];
    const { result, server, begun } = await goOn(
      'fields',
      () => streamed(said(' Well.</think>\n\nA') + said(' cat.') + finish() + DONE),
      first.map((each) => said(each)).join(''),
    );
    expect(result).toMatchObject({ ok: true, value: { text: 'A cat.', continuation: { tokens: 10 } } });
    expect(begun?.content).toBe(first.join(''));
    expect(server.calls[0]?.body.messages).toMatchObject([{}, {}, { content: first.join('') }]);
  });

  it('keeps a call that was cut as the text it is', async () => {
    const first = ['<tool_call>', '\n', '{"name":', ' "look",', ' "arg', 'uments"', ': {"', 'path":', ' "a.', 'txt'];
    const { server } = await goOn('fields', rest, first.map((each) => said(each)).join(''));
    expect(server.calls[0]?.body.messages).toMatchObject([{}, {}, { content: first.join('') }]);
  });

  it.each([
    ['half a character', ' 👩\ud83d', ' 👩'],
    ['a character that was cut to nothing', ' ok\uFFFD', ' ok'],
    ['white space, which templates take away', ' ok.\n\n', ' ok.'],
  ])('is asked for without %s at its end', async (_, last, kept) => {
    const { server } = await goOn('fields', rest, FIRST.join('') + said(last));
    expect(server.calls[0]?.body.messages).toMatchObject([{}, {}, { content: KEPT + kept }]);
  });

  it('that was interrupted itself is found by what it went on from', async () => {
    const { server, ask, interrupted, left } = bench();
    const begun = await interrupted(FIRST.join(''));
    server.on(LOOKUP, nothingFound);
    server.on(CHAT, () => streamed(REST.slice(0, 2).join(''), 'broken'));
    await ask(begun, naming({ id: 'task-1-h1-2' }));
    const id = server.to(CHAT)[0]?.headers.get('x-conversation-id') ?? '';
    expect(id).toMatch(/^task-1-h1-2-after-43-[0-9a-f]{8}$/);
    expect(left.at(-1)?.stream).toMatchObject({ id, before: { characters: 43, tokens: 10 } });
    // Nothing of the continued stream was written down.
    server.on(LOOKUP, found(id, 50));
    server.on(STREAM, () => streamed(REST.join('') + finish() + usage(30, 4) + DONE));
    const { result } = await ask(begun, naming({ id: 'task-1-h1-2', left: ['task-1-h1-2'] }));
    expect(result).toMatchObject({
      ok: true,
      value: { text: TEXT, continuation: { how: 'reattached' }, usage: { promptTokens: 20, completionTokens: 14 } },
    });
  });
});

describe('a try that was cut off before a word came', () => {
  it('has its answer taken up by the next one: it is not made twice, nor waited for behind itself', async () => {
    const { server, ask } = bench();
    server.on(LOOKUP, found('task-1-h1-1', 0));
    server.on(STREAM, () => streamed(FIRST.join('') + REST.join('') + END));
    const { result } = await ask(null, naming({ id: 'task-1-h1-2', left: ['task-1-h1-1'] }));
    expect(result).toMatchObject({ ok: true, value: { text: TEXT, continuation: null } });
    expect([server.to(CHAT).length, server.to(STREAM).length]).toEqual([0, 1]);
  });
});

describe('an answer that was begun at another address', () => {
  it('says nothing of this one: it is sent no header that it may refuse, and goes on with no answer', async () => {
    const elsewhere = bench();
    const begun = await elsewhere.interrupted(FIRST.join(''));
    const { server, ask } = bench(null);
    server.on(CHAT, () => streamed(FIRST.join('') + REST.join('') + END));
    const moved = begun?.stream ? { ...begun, stream: { ...begun.stream, baseUrl: 'http://127.0.0.1:9999/v1' } } : null;
    expect((await ask(moved)).result).toMatchObject({ ok: true, value: { text: TEXT, continuation: null } });
    expect(
      server.calls.map(({ method, path, headers }) => [`${method} ${path}`, headers.get('x-conversation-id')]),
    ).toEqual([[CHAT, null]]);
    expect(server.calls[0]?.body.messages).toHaveLength(2);
  });
});

describe('a server that nobody looked into', () => {
  it('is asked for the whole answer', async () => {
    const { server, ask, interrupted } = bench(null);
    const begun = await interrupted(FIRST.join(''));
    expect(begun?.stream).toBeNull();
    server.on(CHAT, () => streamed(FIRST.join('') + REST.join('') + END));
    expect((await ask(begun)).result).toMatchObject({ ok: true, value: { text: TEXT, continuation: null } });
    expect(server.calls[0]?.body.messages).toHaveLength(2);
  });

  it('is gone on with like llama.cpp once it has shown that it is one, its header untried', async () => {
    const { server, ask, interrupted } = bench(null);
    const timings = { timings: { prompt_n: 20, prompt_ms: 5 } };
    server.on(CHAT, () => streamed(said('Hi', timings) + finish() + DONE));
    await ask(null);
    const begun = await interrupted(FIRST.join(''));
    expect(begun?.stream).toBeNull();
    server.on(CHAT, () => streamed(REST.join('') + finish() + DONE));
    expect((await ask(begun)).result).toMatchObject({ ok: true, value: { text: TEXT } });
  });
});

describe('a continued answer that was begun anew instead', () => {
  const ID = 'task-1-h1-2';
  const all = FIRST.join('') + REST.join('') + END;

  it('is never glued to what it should have gone on with, though its stream is found only afterwards', async () => {
    const { server, ask, interrupted } = bench();
    const begun = await interrupted(FIRST.join(''));
    server.on(LOOKUP, nothingFound);
    server.on(CHAT, () => streamed('', 'broken'));
    await ask(begun, naming({ id: ID }));
    const name = server.to(CHAT)[0]?.headers.get('x-conversation-id') ?? '';
    server.on(LOOKUP, found(name, lengthOf(all))).on(STREAM, () => streamed(all));
    server.on(CHAT, () => streamed(all));
    const { result } = await ask(begun, naming({ id: ID, left: [ID] }));
    expect(result).toMatchObject({ ok: true, value: { text: TEXT, continuation: null } });
    expect(server.to(CHAT).at(-1)?.body.messages).toHaveLength(2);
  });

  it('is not written to its end by a server that keeps streams', async () => {
    const { server, ask, interrupted } = bench();
    const begun = await interrupted(FIRST.join(''));
    server.on(LOOKUP, nothingFound);
    server.on(
      CHAT,
      () => streamed(all),
      () => streamed(all),
    );
    expect((await ask(begun, naming({ id: ID }))).result).toMatchObject({ ok: true, value: { text: TEXT } });
    const name = server.to(CHAT)[0]?.headers.get('x-conversation-id') ?? '';
    expect(server.calls.slice(-3).map(({ method, path }) => `${method} ${path}`)).toEqual([
      CHAT,
      `DELETE /v1/stream?conv_id=${name}`,
      CHAT,
    ]);
  });
});

describe('a stream that is not wanted any more', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('is ended at the server: %s', async (isUnwanted, times) => {
    const { server, ask } = bench();
    const stop = new AbortController();
    server.on(CHAT, (call) => {
      setTimeout(() => stop.abort(), 0);
      return hanging(call);
    });
    const asked = ask(null, naming({ isUnwanted: () => isUnwanted }), stop.signal);
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    server.on(CHAT, () => streamed(FIRST.join('') + END));
    await ask(null);
    expect(server.to('DELETE /v1/stream').map(({ path }) => path)).toEqual(
      Array.from({ length: times }, () => '/v1/stream?conv_id=task-1-h1-1'),
    );
  });
});
