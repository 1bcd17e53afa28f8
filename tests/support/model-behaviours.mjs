// Plays one scripted behaviour on a response.
import { setTimeout as sleep } from 'node:timers/promises';
import { frames, grouped, promptTokens, tokensOf } from './model-answers.mjs';

/** @import { Behaviour, RawBehaviour, ServedRequest, StreamBehaviour } from './model-server-types' */
/** @import { ServerResponse } from 'node:http' */

const SSE = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
const FLUSH_BEFORE_RESET_MS = 20;

/**
 * @typedef {object} Stage
 * @property {ServerResponse} response
 * @property {ServedRequest} request
 * @property {Record<string, string>} cors
 * @property {number} tokensPerChunk
 * @property {string} text of the default answer
 * @property {() => void} refuse closes the port
 * @property {(piece: string) => void} onPiece told of each piece of a text that streams
 * @property {import('./scripted/kept-streams.mjs').KeptStream | null} kept goes on when its reader has gone; null: it ends with it
 */

/** @param {Stage} stage @param {Behaviour} behaviour */
export async function play(stage, behaviour) {
  const { response, cors } = stage;
  switch (behaviour.type) {
    case 'stream':
      return stream(stage, behaviour);
    case 'raw':
      return raw(stage, behaviour);
    case 'json':
      await pause(behaviour.delayMs);
      response.writeHead(behaviour.status ?? 200, {
        'content-type': 'application/json; charset=utf-8',
        ...(behaviour.cors === false ? {} : cors),
        ...behaviour.headers,
      });
      return void response.end(JSON.stringify(behaviour.body));
    case 'html':
      response.writeHead(behaviour.status ?? 200, { 'content-type': 'text/html', ...cors, ...behaviour.headers });
      return void response.end(behaviour.body ?? '<!doctype html><title>Sign in</title><form>Password</form>');
    case 'reset':
      await pause(behaviour.afterMs);
      return reset(response);
    case 'refuse':
      return stage.refuse();
    case 'stall':
      return stall(stage, behaviour);
    case 'kept':
      return behaviour.stream.readBy(response, cors, behaviour.from);
  }
}

/** @param {Stage} stage @param {StreamBehaviour} behaviour */
async function stream(stage, behaviour) {
  const { request, cors } = stage;
  const response = stage.kept ?? stage.response;
  const { choice, usage, frame } = frames(request.body.model ?? 'scripted', request.id, behaviour.head);
  const limit = request.body.max_tokens ?? Infinity;
  const calls = behaviour.toolCalls ?? [];
  const tokens = calls.length > 0 ? [] : tokensOf(behaviour.text ?? stage.text);
  const cut = behaviour.chunks === undefined && behaviour.finish === undefined && tokens.length > limit;
  const kept = cut ? tokens.slice(0, limit) : tokens;
  const chunks = behaviour.chunks ?? grouped(kept, stage.tokensPerChunk);
  const ordinary = calls.length > 0 ? 'tool_calls' : 'stop';
  const finish = cut ? 'length' : behaviour.finish === undefined ? ordinary : behaviour.finish;
  const counted = { prompt_tokens: promptTokens(request.body), completion_tokens: kept.length };

  await pause(behaviour.delayMs);
  if (request.body.stream !== true) {
    return whole(stage, `${behaviour.echo ?? ''}${chunks.join('')}`, finish, behaviour.usage ?? counted, calls);
  }
  // A proxy that buffers has nothing to send before it has all.
  if (behaviour.buffered) await pause((behaviour.betweenMs ?? 0) * chunks.length);
  if (stage.kept) stage.kept.readBy(stage.response, cors, 0);
  else {
    stage.response.writeHead(200, { ...SSE, ...cors });
    stage.response.flushHeaders();
  }
  response.write(frame(choice({ role: 'assistant', content: '' })));
  await pause(behaviour.firstDelayMs);
  for (const piece of behaviour.reasoning ?? []) response.write(frame(choice({ reasoning_content: piece })));
  for (const [index, piece] of chunks.entries()) {
    if (index > 0 && !behaviour.buffered) await pause(behaviour.betweenMs);
    if (response.destroyed) return;
    stage.onPiece(piece);
    response.write(frame(choice({ content: piece })));
  }
  for (const piece of callDeltas(calls, request.id)) response.write(frame(choice({ tool_calls: [piece] })));
  if (finish === null) return void response.end();
  response.write(frame(choice({}, finish)));
  if (request.body.stream_options?.include_usage === true && behaviour.usage !== null) {
    const sent = behaviour.usage ?? counted;
    response.write(frame(usage({ ...sent, total_tokens: sent.prompt_tokens + sent.completion_tokens })));
  }
  response.end(frame('[DONE]'));
}

/** A name and half of the arguments first, the other half after it. @param {ToolCalls} calls @param {number} id */
function callDeltas(calls, id) {
  return calls.flatMap(({ name, arguments: text }, index) => {
    const half = Math.ceil(text.length / 2);
    const call = {
      index,
      id: `call-${id}-${index}`,
      type: 'function',
      function: { name, arguments: text.slice(0, half) },
    };
    return [call, { index, function: { arguments: text.slice(half) } }];
  });
}

/** @typedef {{ name: string, arguments: string }[]} ToolCalls */

/** @param {Stage} stage @param {string} content @param {string | null} finish @param {{prompt_tokens: number, completion_tokens: number}} counted @param {ToolCalls} calls */
function whole({ request, response, cors }, content, finish, counted, calls) {
  const called = calls.map((each, at) => ({ id: `call-${request.id}-${at}`, type: 'function', function: each }));
  response.writeHead(200, { 'content-type': 'application/json', ...cors });
  response.end(
    JSON.stringify({
      id: `chatcmpl-${request.id}`,
      object: 'chat.completion',
      model: request.body.model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, ...(called.length > 0 ? { tool_calls: called } : {}) },
          finish_reason: finish,
        },
      ],
      usage: { ...counted, total_tokens: counted.prompt_tokens + counted.completion_tokens },
    }),
  );
}

/** @param {Stage} stage @param {RawBehaviour} behaviour */
async function raw({ response, cors }, behaviour) {
  await pause(behaviour.delayBeforeHeadersMs);
  if (response.destroyed) return;
  response.writeHead(behaviour.status ?? 200, { ...SSE, ...cors, ...behaviour.headers });
  response.flushHeaders();
  const bounds = [...(behaviour.cuts ?? []), behaviour.bytes.length];
  let from = 0;
  for (const to of bounds) {
    if (from > 0) await pause(behaviour.pauseMs);
    if (response.destroyed) return;
    if (to > from) response.write(behaviour.bytes.subarray(from, to));
    from = to;
  }
  if (behaviour.end === 'hold_open') return;
  if (behaviour.end !== 'reset') return void response.end();
  await sleep(FLUSH_BEFORE_RESET_MS);
  reset(response);
}

/** @param {Stage} stage @param {Extract<Behaviour, { type: 'stall' }>} behaviour */
async function stall({ request, response, cors, text }, behaviour) {
  if (behaviour.after === 'request') return;
  const { choice, frame } = frames(request.body.model ?? 'scripted', request.id);
  response.writeHead(200, { ...SSE, ...cors });
  response.flushHeaders();
  if (behaviour.after === 'headers') return;
  response.write(frame(choice({ role: 'assistant', content: '' })));
  for (const token of tokensOf(behaviour.text ?? text).slice(0, behaviour.tokens ?? 3)) {
    response.write(frame(choice({ content: token })));
  }
}

/** @param {ServerResponse} response */
export function reset(response) {
  const socket = response.socket;
  if (socket && !socket.destroyed) socket.resetAndDestroy();
}

/** @param {number | undefined} ms */
async function pause(ms) {
  if (ms !== undefined && ms > 0) await sleep(ms);
}
