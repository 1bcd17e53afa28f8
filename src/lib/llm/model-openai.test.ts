import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { QUICK, askOnce, modelAt, networkThat, requestFor } from '../../../tests/support/model-fixtures';
import { recordedAnswer, recordedTranscript, startModelServer } from '../../../tests/support/model-server.mjs';
import type { Behaviour, ModelServer } from '../../../tests/support/model-server-types';
import type { OpenAiModel } from './model-openai';

const CASES = new URL('../../../tests/cases/', import.meta.url);
const sse = (name: string) => new URL(`sse/${name}.sse`, CASES);
const expected = (name: string) =>
  JSON.parse(readFileSync(new URL(`sse/${name}.expected.json`, CASES), 'utf8')) as { text: string };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  server.script(null);
  server.scriptOthers(null);
  server.set({ key: undefined, models: undefined });
  server.release();
  server.forget();
});
afterAll(() => server.stop());

function answering(behaviour: Behaviour) {
  server.script(() => behaviour);
  return askOnce(modelAt(server), 'question');
}

describe('recorded streams that are whole answers', () => {
  it.each([
    ['SSE-01', 'sse01-keepalive-comments'],
    ['SSE-03', 'sse03-no-done-clean-close'],
    ['SSE-05', 'sse05-finish-then-open-socket'],
    ['SSE-07', 'sse07-usage-empty-choices'],
    ['SSE-07b', 'sse07b-null-and-missing-choices'],
    ['SSE-08', 'sse08-utf8-split'],
    ['SSE-15', 'sse15-think-block'],
  ])('%s: %s', async (_, name) => {
    const { result } = await answering(recordedTranscript(sse(name)));
    expect(result).toMatchObject({ ok: true, value: { text: expected(name).text, finishReason: 'stop' } });
  });

  it('SSE-05: an open socket after the finish reason is given up within the grace', async () => {
    const { result } = await answering(recordedTranscript(sse('sse05-finish-then-open-socket')));
    expect(result.ok && result.value.durationMs).toBeLessThan(5_000);
    await server.waitFor(({ requests }) => requests[0]?.aborted === true);
  });

  it.each(['sse07-usage-empty-choices', 'sse07b-null-and-missing-choices'])(
    'SSE-07: usage is kept (%s)',
    async (name) => {
      const { result } = await answering(recordedTranscript(sse(name)));
      expect(result.ok && result.value.usage).toEqual({ promptTokens: 41, completionTokens: 7, estimated: false });
    },
  );

  it.each(['1e308', '1e400', '-5', '2.5', '9007199254740993', '"7"', 'null'])(
    'usage that no request can have had is counted by us (%s)',
    async (told) => {
      const usage = `{"prompt_tokens":${told},"completion_tokens":3}`;
      const text = 'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n';
      const bytes = new TextEncoder().encode(`${text}data: {"choices":[],"usage":${usage}}\n\ndata: [DONE]\n\n`);
      const { result } = await answering({ type: 'raw', bytes });
      const promptTokens = 'Answer briefly.'.length + 'question'.length + 8;
      expect(result.ok && result.value.usage).toEqual({ promptTokens, completionTokens: 5, estimated: true });
    },
  );

  it('SSE-07: usage is counted by us, and marked so, where the server sends none', async () => {
    const { result } = await answering(recordedTranscript(sse('sse03-no-done-clean-close')));
    const promptTokens = 'Answer briefly.'.length + 'question'.length + 8;
    expect(result.ok && result.value.usage).toEqual({ promptTokens, completionTokens: 5, estimated: true });
  });

  it('SSE-12: an answer cut at the output limit comes back as cut', async () => {
    const { result } = await answering(recordedTranscript(sse('sse12-finish-length')));
    const { text } = expected('sse12-finish-length');
    expect(result).toMatchObject({ ok: true, value: { text, finishReason: 'length' } });
  });

  it('SSE-15: thinking is never shown, not even for a moment', async () => {
    const { shown } = await answering(recordedTranscript(sse('sse15-think-block')));
    expect(shown).toEqual(['共两段。']);
  });

  it('SSE-15: reasoning in a field of its own is neither text nor shown', async () => {
    const { result, shown } = await answering({ type: 'stream', reasoning: ['let me', ' see'], chunks: ['Four.'] });
    expect(result).toMatchObject({ ok: true, value: { text: 'Four.' } });
    expect(shown).toEqual(['Four.']);
  });

  it('SSE-26: a proxy that holds everything back is waited for until the first-byte limit', async () => {
    const behaviour = recordedTranscript(sse('sse26-buffering-proxy'), { timeScale: 0.01 });
    server.script(() => behaviour);
    const { result } = await askOnce(modelAt(server), 'q', { clocks: { idleMs: 300 } });
    expect(behaviour.delayBeforeHeadersMs).toBe(450);
    expect(result).toMatchObject({ ok: true, value: { text: expected('sse26-buffering-proxy').text } });
  });

  it('takes a whole JSON answer from a server that does not stream', async () => {
    const body = {
      model: 'plain',
      choices: [{ message: { role: 'assistant', content: 'All at once.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    };
    const { result } = await answering({ type: 'json', body });
    expect(result).toMatchObject({ ok: true, value: { text: 'All at once.', model: 'plain' } });
  });
});

describe('answers without an end', () => {
  const bytesOf = (pieces: readonly string[]) => new TextEncoder().encode(pieces.join(''));
  const chunkOf = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
  const endless = (delta: object) => {
    const one = chunkOf(delta);
    return Array.from({ length: Math.ceil(2_000_000 / one.length) }, () => one);
  };

  it('are ended where a limit would have cut them, and the server is let go', async () => {
    const bytes = bytesOf(endless({ content: 'on and on '.repeat(50) }));
    const { result } = await answering({ type: 'raw', bytes, end: 'hold_open' });
    expect(result).toMatchObject({ ok: true, value: { finishReason: 'length' } });
    expect(result.ok && result.value.text.length).toBeLessThan(1_000_000);
    await server.waitFor(({ requests }) => requests[0]?.aborted === true);
  });

  it.each([
    ['thinking in a field of its own', { reasoning_content: 'hm '.repeat(200) }],
    ['thinking in the text', { content: `<think>${'hm '.repeat(200)}` }],
  ])('are none when they are only %s', async (_, delta) => {
    const { result } = await answering({ type: 'raw', bytes: bytesOf(endless(delta)), end: 'hold_open' });
    expect(result).toMatchObject({ ok: false, failure: { code: 'output_truncated' } });
  });

  it('one that is whole JSON is cut too', async () => {
    const message = { content: 'word '.repeat(400_000) };
    const { result } = await answering({ type: 'json', body: { choices: [{ message, finish_reason: 'stop' }] } });
    expect(result).toMatchObject({ ok: true, value: { finishReason: 'length' } });
    expect(result.ok && result.value.text.length).toBeLessThan(1_000_000);
  });

  it.each([
    ['line', () => ['data: {"choices":[{"delta":{"content":"', 'x'.repeat(5_000_000)]],
    ['event', () => Array.from({ length: 50_000 }, () => `data: ${'x'.repeat(100)}\n`)],
  ])('a %s without an end is given up, not gathered for ever', async (_, pieces) => {
    const { result } = await answering({ type: 'raw', bytes: bytesOf(pieces()), end: 'hold_open' });
    expect(result).toMatchObject({ ok: false, failure: { code: 'stream_malformed' } });
    await server.waitFor(({ requests }) => requests[0]?.aborted === true);
  });
});

describe('SSE-08: cut anywhere', () => {
  it('gives the same text for a cut at every single byte', async () => {
    const name = 'sse08-utf8-split';
    const { bytes } = recordedTranscript(sse(name));
    const cuts = [...bytes.keys()].slice(1);
    const { result, shown } = await answering({ type: 'raw', bytes, cuts, pauseMs: 0 });
    expect(result).toMatchObject({ ok: true, value: { text: expected(name).text } });
    expect(shown.join('')).not.toContain('�');
  });
});

describe('streams that are no answers', () => {
  it('SSE-10: an error inside a 200 stream is that error', async () => {
    const { result } = await answering(recordedTranscript(sse('sse10-error-in-200-stream')));
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'server_busy', verdict: 'retry', message: 'engine queue full, request rejected' },
    });
  });

  it('SSE-13: null content with a finish reason is an empty response', async () => {
    const { result } = await answering(recordedTranscript(sse('sse13-null-content')));
    expect(result).toMatchObject({ ok: false, failure: { code: 'empty_response', verdict: 'retry' } });
  });

  it.each([
    ['no piece at all', []],
    ['an empty one', ['']],
    ['a line break', ['\n']],
    ['white space of all kinds', [' \t', '\u3000\u00a0', '\r\n']],
  ])('SSE-13: %s is an empty response', async (_, chunks) => {
    const { result } = await answering({ type: 'stream', chunks });
    expect(result).toMatchObject({ ok: false, failure: { code: 'empty_response', verdict: 'retry' } });
  });

  it('SSE-22: a stream without a single event is no answer', async () => {
    for (const bytes of ['', '\n\n', 'data: [DONE]\n\n']) {
      const { result } = await answering({ type: 'raw', bytes: Buffer.from(bytes) });
      expect(result.ok, JSON.stringify(bytes)).toBe(false);
    }
  });

  it('SSE-13: thinking alone is an empty response, and a cut one asks for more room', async () => {
    const thinking = await answering({ type: 'stream', chunks: ['<think>hm', '</think>\n'] });
    expect(thinking.result).toMatchObject({ ok: false, failure: { code: 'empty_response' } });
    const cut = await answering({ type: 'stream', chunks: ['<think>hm'], finish: 'length' });
    expect(cut.result).toMatchObject({ ok: false, failure: { code: 'output_truncated', verdict: 'fail' } });
  });

  it('SSE-26: a reset in mid stream is a cut, and nothing of the text comes back', async () => {
    const { result } = await answering(recordedTranscript(sse('sse25-reset-mid-stream')));
    expect(result).toMatchObject({ ok: false, failure: { code: 'stream_cut', verdict: 'retry' } });
    expect(JSON.stringify(result)).not.toContain('正在整理');
  });

  it('a clean end without a finish reason is a cut', async () => {
    const { result } = await answering({ type: 'stream', text: 'half of it', finish: null });
    expect(result).toMatchObject({ ok: false, failure: { code: 'stream_cut' } });
  });

  it('an event cut in the middle of its JSON is a cut, garbage before other events is malformed', async () => {
    const cut = await answering({
      type: 'raw',
      bytes: Buffer.from('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"cho'),
    });
    expect(cut.result).toMatchObject({ ok: false, failure: { code: 'stream_cut' } });
    const garbage = await answering({
      type: 'raw',
      bytes: Buffer.from('data: {"choices"\n\ndata: {"choices":[]}\n\n'),
    });
    expect(garbage.result).toMatchObject({ ok: false, failure: { code: 'stream_malformed' } });
  });

  it('a generation that the server broke off is malformed, a filtered one refused', async () => {
    const bytes = Buffer.from(
      'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"abort"}]}\n\ndata: [DONE]\n\n',
    );
    expect((await answering({ type: 'raw', bytes })).result).toMatchObject({
      ok: false,
      failure: { code: 'stream_malformed' },
    });
    const filtered = await answering({ type: 'stream', text: 'I', finish: 'content_filter' });
    expect(filtered.result).toMatchObject({ ok: false, failure: { code: 'content_refused', verdict: 'fail' } });
  });
});

describe('answers that are not streams', () => {
  it.each(['new', 'old'])('SSE-20: a model that still loads is waited for (%s shape)', async (shape) => {
    const loading = recordedAnswer(new URL(`http/sse20-503-loading-${shape}.json`, CASES));
    let answers = 0;
    server.script(() => (++answers <= 3 ? loading : undefined));
    const model = modelAt(server);
    for (let times = 0; times < 3; times += 1) {
      const { result } = await askOnce(model, 'q');
      expect(result).toMatchObject({ ok: false, failure: { code: 'endpoint_loading', verdict: 'wait' } });
    }
    expect((await askOnce(model, 'q')).result.ok).toBe(true);
  });

  it('SSE-22: a 200 with a JSON error is a wrong base URL, with the right one offered', async () => {
    server.set({ basePath: '' });
    server.script(() => recordedAnswer(new URL('http/sse22-200-unexpected-endpoint.json', CASES)));
    const { result } = await askOnce(modelAt(server), 'q');
    server.set({ basePath: '/v1' });
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'wrong_base_url', details: { url: server.origin, suggestion: `${server.origin}/v1` } },
    });
  });

  it('SSE-23: an HTML error page is a server fault told in plain text', async () => {
    const { result } = await answering(recordedAnswer(new URL('http/sse23-502-html.json', CASES)));
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'server_fault', verdict: 'retry', message: '502 Bad Gateway', details: { status: 502 } },
    });
  });

  it('SSE-23: a sign-in page with 200 is no answer', async () => {
    const { result } = await answering({ type: 'html' });
    expect(result).toMatchObject({ ok: false, failure: { code: 'login_page', verdict: 'wait', message: 'Sign in' } });
    const unnamed = await answering({
      type: 'raw',
      bytes: Buffer.from('<html>Hi'),
      headers: { 'content-type': 'text/html' },
    });
    expect(unnamed.result).toMatchObject({ ok: false, failure: { code: 'login_page' } });
  });

  it('SSE-24: the wait that the server asks for is handed on', async () => {
    const seconds = await answering(recordedAnswer(new URL('http/sse24-429-retry-after-seconds.json', CASES)));
    expect(seconds.result).toMatchObject({ ok: false, failure: { code: 'rate_limited', retryAfterMs: 2_000 } });
    const date = recordedAnswer(new URL('http/sse24-429-retry-after-date.json', CASES));
    const at = new Date(Date.now() + 4_000).toUTCString();
    const dated = await answering({ ...date, headers: { ...date.headers, 'retry-after': at } });
    const failure = dated.result.ok ? null : dated.result.failure;
    expect(failure?.code).toBe('rate_limited');
    expect(failure?.retryAfterMs).toBeGreaterThan(2_000);
    expect(failure?.retryAfterMs).toBeLessThanOrEqual(4_000);
    const zero = await answering(recordedAnswer(new URL('http/sse24-429-retry-after-zero.json', CASES)));
    expect(zero.result).toMatchObject({ ok: false, failure: { code: 'rate_limited' } });
    expect(zero.result.ok ? null : zero.result.failure.retryAfterMs).toBeUndefined();
  });

  it('never follows a redirect, and names the target without its query', async () => {
    server.script(() => ({
      type: 'json',
      status: 307,
      headers: { location: 'http://elsewhere.test/login?to=x' },
      body: {},
    }));
    const { result } = await askOnce(modelAt(server, { key: 'sk-TEST-123456' }), 'q');
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'endpoint_redirected', details: { target: 'http://elsewhere.test/login' } },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('SSE-31: an abort is no answer and no failure', () => {
  it('rejects in mid stream, and the server sees the request end', async () => {
    server.script(() => ({ type: 'stall', after: 'tokens', tokens: 2, text: 'one two three' }));
    const stop = new AbortController();
    const completing = modelAt(server).complete(requestFor('q'), {
      signal: stop.signal,
      onText: (text) => {
        if (text === 'one two') stop.abort();
      },
    });
    await expect(completing).rejects.toMatchObject({ name: 'AbortError' });
    await server.waitFor(({ requests, inFlight }) => inFlight === 0 && requests[0]?.aborted === true);
  });

  it('rejects while the server has not answered at all', async () => {
    server.hold();
    const stop = new AbortController();
    const completing = modelAt(server).complete(requestFor('q'), { signal: stop.signal });
    await server.waitFor(({ held }) => held === 1);
    stop.abort(new Error('a reason of the caller'));
    await expect(completing).rejects.toMatchObject({ name: 'AbortError' });
    await server.waitFor(({ inFlight }) => inFlight === 0);
  });

  it('sends nothing when it was aborted before', async () => {
    const completing = modelAt(server).complete(requestFor('q'), { signal: AbortSignal.abort() });
    await expect(completing).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('clocks', () => {
  it.each([
    ['connect_timeout', { type: 'stall', after: 'request' }, { connectMs: 60 }],
    ['first_token_timeout', { type: 'stall', after: 'headers' }, { firstTokenMs: 60 }],
    ['idle_timeout', { type: 'stall', after: 'tokens' }, { idleMs: 60 }],
    [
      'request_timeout',
      { type: 'stream', text: 'a b c d e f g h i j k l m n o p q r s t', betweenMs: 40 },
      { wholeMs: 120 },
    ],
  ] as const)('%s has its own code and frees the slot', async (code, behaviour, clocks) => {
    server.script(() => behaviour);
    const { result } = await askOnce(modelAt(server), 'q', { clocks });
    expect(result).toMatchObject({ ok: false, failure: { code, kind: 'timeout', verdict: 'retry' } });
    expect(result.ok ? null : result.failure.details.limitMs).toBe(Object.values(clocks)[0]);
    await server.waitFor(({ inFlight }) => inFlight === 0);
  });
});

describe('signs of life', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const chunk = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const WORD = chunk({ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] });

  /** Each piece comes some time after the one before. */
  function paced(pieces: readonly string[], pauseMs: number, end?: 'hold_open'): Behaviour {
    const lengths = pieces.map((piece) => bytes(piece).length);
    const cuts = lengths.slice(0, -1).map((_, index) => lengths.slice(0, index + 1).reduce((a, b) => a + b, 0));
    return { type: 'raw', bytes: bytes(pieces.join('')), cuts, pauseMs, ...(end ? { end } : {}) };
  }

  it.each([
    ['comments', ':\n\n'],
    ['prompt progress', chunk({ prompt_progress: { total: 4_000, cache: 0, processed: 400, time_ms: 10 } })],
  ])('B5: %s keep the wait for the first token going', async (_, sign) => {
    server.script(() => paced([...Array<string>(8).fill(sign), WORD], 100));
    const { result } = await askOnce(modelAt(server), 'q', { clocks: { firstTokenMs: 450 } });
    expect(result).toMatchObject({ ok: true, value: { text: 'Hello' } });
  });

  it('B5: comments are no tokens once tokens flow', async () => {
    const started = chunk({ choices: [{ delta: { content: 'Hel' } }] });
    server.script(() => paced([started, ...Array<string>(30).fill(':\n\n')], 50));
    const { result } = await askOnce(modelAt(server), 'q', { clocks: { idleMs: 300 } });
    expect(result).toMatchObject({ ok: false, failure: { code: 'idle_timeout' } });
  });

  it('B5: a stall has its own code however long the prompt, and the next try waits twice as long', async () => {
    server.script(() => ({ type: 'stall', after: 'headers' }));
    const limits: unknown[] = [];
    for (const firstToken of [0, 1, 2]) {
      const { result } = await askOnce(modelAt(server), 'q', {
        clocks: { firstTokenMs: 40 },
        earlier: { firstToken, whole: 0 },
      });
      expect(result).toMatchObject({ ok: false, failure: { code: 'first_token_timeout' } });
      limits.push(result.ok ? null : result.failure.details.limitMs);
    }
    expect(limits).toEqual([40, 80, 160]);
  });

  it('B5: a long prompt has its reading added to the limit, by the speed that the server showed', async () => {
    const limitOf = async (model: OpenAiModel) => {
      server.script(() => ({ type: 'stall', after: 'headers' }));
      const { result } = await askOnce(model, 'x'.repeat(1_000), {
        clocks: { firstTokenMs: 10, readingMargin: 0.002 },
      });
      return result.ok ? Number.NaN : Number(result.failure.details.limitMs);
    };
    const model = modelAt(server);
    const first = await limitOf(model);
    expect(first).toBeGreaterThan(10 + 1_000 * 20 * 0.002);
    const timings = { prompt_n: 1_000, prompt_ms: 60_000 };
    server.script(() => ({
      type: 'raw',
      bytes: bytes(WORD.replace('}\n', `,"timings":${JSON.stringify(timings)}}\n`)),
    }));
    expect((await askOnce(model, 'q')).result.ok).toBe(true);
    expect(await limitOf(model)).toBeGreaterThan(first * 1.5);
  });

  it('asks llama.cpp alone for its progress, and no more once that is refused', async () => {
    const timings = { prompt_n: 10, prompt_ms: 5 };
    const model = modelAt(server);
    const told = WORD.replace('}\n', `,"timings":${JSON.stringify(timings)}}\n`);
    await askOnce(model, 'no timings');
    await askOnce(model, 'none seen yet');
    server.script(() => ({ type: 'raw', bytes: bytes(told) }));
    await askOnce(model, 'timings');
    await askOnce(model, 'wanted');
    server.script(({ body }) => {
      if (!('return_progress' in body)) return { type: 'raw', bytes: bytes(told) };
      return {
        type: 'json',
        status: 400,
        body: { error: { message: "Unrecognized request argument: 'return_progress'" } },
      };
    });
    await askOnce(model, 'refused');
    await askOnce(model, 'given up');
    const sent = server.requests.map(({ body }) => 'return_progress' in body);
    expect(sent).toEqual([false, false, false, true, true, false, false]);
  });

  it('SSE-05: a whole answer that waits for its usage is not lost to a pause', async () => {
    server.script(() => paced([WORD], 0, 'hold_open'));
    const stop = new AbortController();
    const answered = modelAt(server).complete(requestFor('q'), {
      signal: stop.signal,
      clocks: { ...QUICK, graceMs: 30_000 },
      onText: () => setTimeout(() => stop.abort(), 0),
    });
    expect(await answered).toMatchObject({ ok: true, value: { text: 'Hello', finishReason: 'stop' } });
  });

  it('half an answer is lost to a pause', async () => {
    server.script(() => paced([chunk({ choices: [{ delta: { content: 'Hel' } }] })], 0, 'hold_open'));
    const stop = new AbortController();
    const answered = modelAt(server).complete(requestFor('q'), { signal: stop.signal, onText: () => stop.abort() });
    await expect(answered).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('what is sent', () => {
  it('SSE-27: no header that a strict server would have to allow', async () => {
    await askOnce(modelAt(server), 'q');
    await modelAt(server).probe(new AbortController().signal);
    const allowed = ['accept', 'content-type', 'authorization'];
    const ofNode =
      /^(host|connection|content-length|transfer-encoding|accept-language|sec-fetch-.*|user-agent|accept-encoding|cache-control|pragma)$/;
    for (const { headers } of [...server.requests, ...server.otherRequests]) {
      expect(Object.keys(headers).filter((name) => !allowed.includes(name) && !ofNode.test(name))).toEqual([]);
      expect(headers['user-agent'] ?? 'node').not.toContain('OpenAI');
      expect(headers.authorization).toBeUndefined();
    }
    expect(server.requests).toHaveLength(1);
    expect(server.otherRequests).toHaveLength(1);
  });

  it('the key goes into the Authorization header, and nowhere else', async () => {
    await askOnce(modelAt(server, { key: 'sk-TEST-123456' }), 'q');
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe('Bearer sk-TEST-123456');
    expect(JSON.stringify({ ...request, headers: { ...request?.headers, authorization: '' } })).not.toContain(
      'sk-TEST',
    );
  });

  it('asks for a stream with usage, and for as many tokens as it may', async () => {
    await askOnce(modelAt(server), 'q');
    expect(server.requests[0]?.body).toEqual({
      model: 'hermes-test',
      messages: requestFor('q').messages,
      temperature: 0,
      max_tokens: 200,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('leaves a parameter out for good once the server has refused it by name', async () => {
    server.script(({ body }) => {
      const refused = (message: string): Behaviour => ({ type: 'json', status: 400, body: { error: { message } } });
      if (body.stream_options) return refused('stream_options: extra fields not permitted');
      if (body.max_tokens) return refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.");
      if (body.temperature !== undefined)
        return refused("'temperature' does not support 0. Only the default (1) value.");
      return undefined;
    });
    const model = modelAt(server);
    expect((await askOnce(model, 'first')).result.ok).toBe(true);
    expect(server.requests).toHaveLength(4);
    expect((await askOnce(model, 'second')).result.ok).toBe(true);
    expect(server.requests).toHaveLength(5);
    expect(server.requests[4]?.body).toMatchObject({ max_completion_tokens: 200 });
  });

  it('seed defect 33: a refusal is not repeated for its own sake', async () => {
    const { result } = await answering({ type: 'json', status: 400, body: { error: { message: 'messages: no' } } });
    expect(result).toMatchObject({ ok: false, failure: { code: 'request_rejected', message: 'messages: no' } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the key stays out of failures (SEC-09)', () => {
  const key = 'sk-TEST-123456';

  it.each<[string, Behaviour]>([
    [
      'echoed by a 401',
      { type: 'json', status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } },
    ],
    ['half masked', { type: 'json', status: 401, body: { error: { message: 'Incorrect API key: sk-TES****3456.' } } }],
    ['in a header dump', { type: 'json', status: 500, body: { detail: `authorization: Bearer ${key}` } }],
    ['in a page', { type: 'html', status: 502, body: `<title>Bearer ${key}</title>` }],
    ['in a redirect', { type: 'json', status: 302, headers: { location: `http://x.test/${key}` }, body: {} }],
    ['in the stream', { type: 'raw', bytes: Buffer.from(`data: {"error":{"message":"bad ${key}"}}\n\n`) }],
    ['as garbage', { type: 'raw', bytes: Buffer.from(`data: ${key}\n\ndata: {}\n\n`) }],
  ])('%s', async (_, behaviour) => {
    server.script(() => behaviour);
    const { result } = await askOnce(modelAt(server, { key }), 'q');
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toMatch(/sk-TES|123456|\*3456/);
  });

  it('a key that no header can carry is refused before anything is sent', async () => {
    const { result } = await askOnce(modelAt(server, { key: 'ｓｋ－１２３' }), 'q');
    expect(result).toMatchObject({ ok: false, failure: { code: 'auth_failed' } });
    expect(JSON.stringify(result)).not.toContain('ｓｋ');
    expect(server.requests).toHaveLength(0);
  });
});

describe('no server', () => {
  it('SSE-29: a refused connection is unreachable, with 127.0.0.1 offered for localhost', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const { result } = await askOnce(modelAt(gone, { baseUrl: `http://localhost:${gone.port}/v1` }), 'q');
    expect(result).toMatchObject({
      ok: false,
      failure: {
        code: 'endpoint_unreachable',
        verdict: 'wait',
        details: { suggestion: `http://127.0.0.1:${gone.port}/v1` },
      },
    });
  });

  it('tells an offline device from a server that is gone, but never for a loopback address', async () => {
    const failing = (baseUrl: string): OpenAiModel =>
      modelAt(server, {
        baseUrl,
        network: networkThat(false),
        fetch: () => Promise.reject(new TypeError('Failed to fetch')),
      });
    expect((await askOnce(failing('https://models.test/v1'), 'q')).result).toMatchObject({
      failure: { code: 'network_offline' },
    });
    expect((await askOnce(failing('http://127.0.0.1:9/v1'), 'q')).result).toMatchObject({
      failure: { code: 'endpoint_unreachable' },
    });
  });
});

describe('probe', () => {
  const probe = () => modelAt(server).probe(new AbortController().signal);

  it.each<[string, Behaviour | undefined, string]>([
    ['a list', undefined, 'ready'],
    ['no list, but an answer', { type: 'json', status: 404, body: { error: 'not here' } }, 'ready'],
    ['a refused key', { type: 'json', status: 401, body: { error: 'Unauthorized' } }, 'auth_failed'],
    [
      'a loading model',
      { type: 'json', status: 503, body: { error: { message: 'Loading model' } } },
      'endpoint_loading',
    ],
    ['a fault', { type: 'html', status: 502, body: '<title>502 Bad Gateway</title>' }, 'server_fault'],
    ['a reset', { type: 'reset' }, 'endpoint_unreachable'],
  ])('%s', async (_, behaviour, outcome) => {
    server.scriptOthers(() => behaviour);
    const probed = await probe();
    expect(probed.ok ? 'ready' : probed.failure.code).toBe(outcome);
    expect(server.otherRequests.map(({ path }) => path)).toContain('/v1/models');
  });

  it('rejects when it is aborted', async () => {
    server.scriptOthers(() => ({ type: 'stall', after: 'request' }));
    const stop = new AbortController();
    const probing = modelAt(server).probe(stop.signal);
    await server.waitFor(({ otherRequests }) => otherRequests.length === 1);
    stop.abort();
    await expect(probing).rejects.toMatchObject({ name: 'AbortError' });
  });
});
