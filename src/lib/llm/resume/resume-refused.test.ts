import { describe, expect, it } from 'vitest';
import { modelAt, QUICK, requestFor } from '../../../../tests/support/model-fixtures';
import { RecordedFetch, refused, streamed, type FetchCall } from '../../../../tests/support/recorded-fetch';
import type { Capabilities } from '../../core/capabilities';
import type { Begun } from '../../core/partial';

const HOME = 'http://127.0.0.1:8080/v1';
const CHAT = 'POST /v1/chat/completions';
const LOOKUP = 'POST /v1/streams/lookup';
const STREAM = 'GET /v1/stream';
const MODEL = 'stories.gguf';

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const said = (content: string) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }], model: MODEL });
const finish = (reason = 'stop') => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }], model: MODEL });
const DONE = 'data: [DONE]\n\n';
const html = () => new Response('<!doctype html><title>Gone</title>', { headers: { 'content-type': 'text/html' } });
const moved = () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } });
const unread = (): Response => {
  throw new TypeError('Failed to fetch');
};

const TEXT = 'Once upon a time there was a little cat with';
const LEFT: Begun = { content: ` ${TEXT}`, reasoning: '', tokens: 10, served: MODEL, stream: null };
const ID = 'task-1-h1-1';
const place = { baseUrl: HOME, id: ID, offset: 900, before: { characters: 0, tokens: 0 } };
const LEFT_IN_STREAM: Begun = { ...LEFT, stream: { ...place, last: { from: 800, data: said(' with').slice(6, -2) } } };

const isContinued = ({ body }: FetchCall) => 'continue_final_message' in body;
const anew = () => streamed(said('Anew.') + finish() + DONE);
const rest = () => streamed(said(' a red') + said(' hat.') + finish() + DONE);
const there = () => Response.json([{ conversation_id: ID, is_done: false, total_bytes: 900 }]);

function bench(known: Pick<Capabilities, 'continuing' | 'reattaching'> | null) {
  const server = new RecordedFetch();
  const capabilities = known as Capabilities | null;
  const model = modelAt(
    { url: HOME },
    { model: MODEL, fetch: server.fetch, key: 'sk-1', ...(capabilities && { capabilities }) },
  );
  const ask = (begun: Begun, left: readonly string[] = []) =>
    model.complete(requestFor('Tell a story', { maxTokens: 100 }), {
      signal: new AbortController().signal,
      clocks: QUICK,
      begun,
      stream: { id: 'task-1-h1-2', left, isUnwanted: () => false },
    });
  return { server, ask };
}

describe('a server that was to go on with an answer', () => {
  const goOn = (reply: () => Response) => {
    const { server, ask } = bench({ continuing: 'fields', reattaching: null });
    server.on(CHAT, (call) => (isContinued(call) ? reply() : anew()));
    return ask(LEFT);
  };

  it.each([
    ['says in its stream that it cannot', () => streamed(event({ error: { code: 400, message: 'no prefill' } }))],
    ['fails in its stream before a word', () => streamed(event({ error: { code: 500, message: 'slot died' } }))],
    ['says with 200 that it cannot', () => Response.json({ error: { code: 400, message: 'no prefill' } })],
    ['sends a page', html],
    ['points elsewhere', moved],
    ['forbids it', () => refused(403, 'prefill is not allowed')],
    ['does not take it', () => refused(415, 'Unsupported')],
    ['does not take so much', () => refused(413, 'Payload Too Large')],
    ['closes the answer where it was cut', () => streamed(finish() + DONE)],
    ['closes it with white space', () => streamed(said('\n') + finish() + DONE)],
    ['ends its stream without a word', () => streamed(DONE)],
    ['sends nothing', () => streamed('')],
  ])('and %s is asked for a whole one', async (_, reply) => {
    expect(await goOn(reply)).toMatchObject({ ok: true, value: { text: 'Anew.', continuation: null } });
  });

  it.each([
    ['fails after some words', () => streamed(said(' a red') + event({ error: { code: 500, message: 'x' } }))],
    ['ends after some words', () => streamed(said(' a red'))],
  ])('and %s is asked to go on once more, later', async (_, reply) => {
    expect(await goOn(reply)).toMatchObject({ ok: false, failure: { verdict: 'retry' } });
  });

  it('and says nothing more because the limit was reached has said all that it may', async () => {
    expect(await goOn(() => streamed(finish('length') + DONE))).toMatchObject({
      ok: true,
      value: { text: TEXT, finishReason: 'length' },
    });
  });

  it('and refuses the key is not asked again with it', async () => {
    expect(await goOn(() => refused(401, 'no'))).toMatchObject({ ok: false, failure: { code: 'auth_failed' } });
  });
});

describe('kept streams that cannot be asked for, where answers can', () => {
  const both = { continuing: 'fields', reattaching: 'query' } as const;

  it.each([
    ['looked up: forbidden', { lookup: () => refused(403, 'no such route') }],
    ['looked up: elsewhere', { lookup: moved }],
    ['looked up: not for this page', { lookup: unread }],
    ['looked up: a page', { lookup: html }],
    ['read: forbidden', { stream: () => refused(403, 'no such route') }],
    ['read: elsewhere', { stream: moved }],
    ['read: not for this page', { stream: unread }],
    ['read: a page', { stream: html }],
    ['read: an object', { stream: () => Response.json({ ok: true }) }],
  ])('are done without (%s)', async (_, replies: { lookup?: () => Response; stream?: () => Response }) => {
    const { server, ask } = bench(both);
    server
      .on(LOOKUP, replies.lookup ?? there)
      .on('GET /v1/streams', replies.lookup ?? there)
      .on(STREAM, replies.stream ?? (() => refused(404, 'none')))
      .on('GET /v1/models', () => Response.json({ data: [] }))
      .on(CHAT, (call) => (isContinued(call) ? rest() : anew()));
    expect(await ask(LEFT_IN_STREAM)).toMatchObject({ ok: true, value: { text: `${TEXT} a red hat.` } });
  });

  it.each([
    ['nobody is there', unread, 'endpoint_unreachable'],
    ['the key is refused', () => refused(401, 'no'), 'auth_failed'],
    ['it is too often', () => refused(429, 'slow down'), 'rate_limited'],
    ['nobody is behind the proxy', () => refused(502, 'Bad Gateway'), 'server_fault'],
  ])('are waited for when %s', async (_, lookup, code) => {
    const { server, ask } = bench(both);
    server.on(LOOKUP, lookup).on('GET /v1/models', unread).on(CHAT, anew);
    expect(await ask(LEFT_IN_STREAM)).toMatchObject({ ok: false, failure: { code } });
    expect(server.to(CHAT)).toHaveLength(0);
  });
});

describe('a stream of that name', () => {
  it.each([[[]], [[ID]]])('that says something else is never the answer (left: %j)', async (left: string[]) => {
    const { server, ask } = bench({ continuing: 'fields', reattaching: 'query' });
    server
      .on(LOOKUP, there)
      .on(STREAM, () => streamed(said(' Dear Sir') + said(', enclosed please find') + finish() + DONE))
      .on(CHAT, (call) => (isContinued(call) ? rest() : anew()));
    expect(await ask(LEFT_IN_STREAM, left)).toMatchObject({ ok: true, value: { text: `${TEXT} a red hat.` } });
  });

  it('that was to go on with an answer and brought nothing to it is no answer', async () => {
    const { server, ask } = bench({ continuing: null, reattaching: 'query' });
    const before = { characters: LEFT.content.length, tokens: LEFT.tokens };
    server
      .on(LOOKUP, there)
      .on(STREAM, () => streamed(finish() + DONE))
      .on(CHAT, anew);
    const left = { ...LEFT, stream: { ...place, offset: 0, last: null, before } };
    expect(await ask(left)).toMatchObject({ ok: true, value: { text: 'Anew.', continuation: null } });
  });

  it('that counts its bytes otherwise is read from its beginning, and the text is held once', async () => {
    const { server, ask } = bench({ continuing: 'fields', reattaching: 'query' });
    const whole = said(' Once upon a') + said(' time there was a little cat') + said(' with a hat.') + finish() + DONE;
    server.on(LOOKUP, there).on(STREAM, () => streamed(whole));
    expect(await ask(LEFT_IN_STREAM)).toMatchObject({ ok: true, value: { text: `${TEXT} a hat.` } });
    expect(server.to(STREAM).map(({ path }) => path.split('from=')[1])).toEqual(['800', '0']);
  });
});

it('at another address there is nothing left of a stream, and what it can do is not known', async () => {
  const { server, ask } = bench(null);
  server.on(CHAT, anew);
  const elsewhere = { ...LEFT, stream: { ...place, baseUrl: 'http://127.0.0.1:9999/v1', last: null } };
  expect(await ask(elsewhere)).toMatchObject({ ok: true, value: { text: 'Anew.', continuation: null } });
  expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([CHAT]);
  expect(server.calls[0]?.headers.get('x-conversation-id')).toBeNull();
  expect(server.calls[0]?.body.messages).toHaveLength(2);
});
