// A scripted OpenAI-compatible model server for tests and demos; scripted/by-hand.mjs starts one from a terminal.
import { createServer } from 'node:http';
import { lastUserText, summaryOf, tokensOf } from './model-answers.mjs';
import { play } from './model-behaviours.mjs';
import { answerIn, dialectNamed, worldOf } from './scripted/dialect.mjs';
import { KeptStreams } from './scripted/kept-streams.mjs';
import { answerPreflight, corsHeaders } from './scripted/origins.mjs';
import { Slots } from './scripted/slots.mjs';

export { digestOf } from './model-answers.mjs';
export { recordedAnswer, recordedTranscript } from './recorded-transcript.mjs';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Behaviour, ChatBody, ListedModel, ModelServer, ModelServerOptions, Script, ServedRequest } from './model-server-types' */

export const DEFAULT_MODEL = 'NousResearch/Hermes-3-Llama-3.1-8B';

/**
 * @param {ModelServerOptions} [given]
 * @returns {Promise<ModelServer>}
 */
export async function startModelServer(given = {}) {
  /** @type {ModelServerOptions} */
  const options = { ...given };
  const host = options.host ?? '127.0.0.1';
  /** @type {ServedRequest[]} */
  const requests = [];
  /** @type {ServedRequest[]} */
  const otherRequests = [];
  /** @type {{ chats: Script | null, others: Script | null }} */
  const scripts = { chats: null, others: null };
  /** @type {Set<() => void>} */
  const watchers = new Set();
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const slots = new Slots();
  const kept = new KeptStreams();
  const state = {
    nextId: 1,
    preflights: 0,
    inFlight: 0,
    maxInFlight: 0,
    holding: false,
    generatedTokens: 0,
    port: options.port ?? 0,
  };

  const http = createServer((request, response) => {
    handle(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  http.keepAliveTimeout = 60_000;
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function handle(request, response) {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://host');
    const cors = corsHeaders(request, options, world());
    if (request.method === 'OPTIONS') {
      state.preflights += 1;
      answerPreflight(request, response, options, cors);
      return;
    }
    const isChat = request.method === 'POST' && path === `${basePath()}/chat/completions`;
    /** @type {ServedRequest | null} */
    let asked = null;
    // Before anything is waited for: who asks may be gone by then.
    response.on('error', () => {});
    response.on('close', () => {
      if (asked) Object.assign(asked, { finished: response.writableFinished, aborted: !response.writableFinished });
      if (isChat) state.inFlight -= 1;
      changed();
    });
    if (isChat) state.maxInFlight = Math.max(state.maxInFlight, ++state.inFlight);
    const body = await bodyOf(request);
    if (response.destroyed) return;
    /** @type {ServedRequest} */
    const served = {
      id: state.nextId++,
      at: Date.now(),
      method: request.method ?? 'GET',
      path,
      query,
      headers: request.headers,
      body,
      content: isChat ? lastUserText(body) : '',
      aborted: false,
      finished: false,
    };
    asked = served;
    (isChat ? requests : otherRequests).push(served);
    changed();
    if (isChat && state.holding) await held(response);
    if (isChat && options.dialect !== undefined) await slots.enter(response, world()?.slots ?? Infinity);
    if (response.destroyed) return;
    const scripted = await (isChat ? scripts.chats : scripts.others)?.(served);
    await play(
      {
        response,
        request: served,
        cors,
        tokensPerChunk: options.tokensPerChunk ?? 4,
        text: isChat ? (options.answer ?? summaryOf)(served.content, served) : '',
        refuse: close,
        onPiece: (piece) => (state.generatedTokens += tokensOf(piece).length),
        kept: keptBy(served, isChat),
      },
      scripted ?? spoken(served, cors) ?? ordinary(served, isChat),
    );
  }

  /** @param {ServedRequest} request @param {boolean} isChat */
  function keptBy({ headers, body }, isChat) {
    const id = headers['x-conversation-id'];
    const isKept = isChat && body.stream === true && typeof id === 'string' && world()?.dialect.keepsStreams;
    return isKept ? kept.begin(id) : null;
  }

  function world() {
    if (options.dialect === undefined) return null;
    const dialect = dialectNamed(options.dialect);
    return { dialect, ...worldOf(dialect, options, basePath(), DEFAULT_MODEL, state.inFlight, kept) };
  }

  /** What the dialect says; null without one. @param {ServedRequest} request @param {Record<string, string>} cors @returns {Behaviour | null} */
  function spoken(request, cors) {
    const known = world();
    if (!known) return null;
    const isForeign = request.headers.origin !== undefined && cors['access-control-allow-origin'] === undefined;
    if (isForeign && known.dialect.refuseOrigin) return known.dialect.refuseOrigin();
    return answerIn(known.dialect, known, request, (options.answer ?? summaryOf)(request.content, request));
  }

  /** @param {ServedRequest} request @param {boolean} isChat @returns {Behaviour} */
  function ordinary(request, isChat) {
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      return refusal(401, 'Invalid API Key', 'authentication_error');
    }
    if (isChat) {
      const model = request.body.model ?? '';
      if (options.strictModel && !models().some(({ id }) => id === model)) {
        return refusal(404, `The model \`${model}\` does not exist.`, 'NotFoundError', 'model');
      }
      return { type: 'stream', delayMs: options.delayMs, betweenMs: options.betweenMs };
    }
    if (request.method === 'GET' && request.path === `${basePath()}/models`) {
      return { type: 'json', body: { object: 'list', data: models() } };
    }
    if (request.path === '/health') return { type: 'json', body: { status: 'ok' } };
    return refusal(404, 'File Not Found', 'not_found_error');
  }

  function basePath() {
    return options.basePath ?? '/v1';
  }

  /** @returns {ListedModel[]} */
  function models() {
    return (options.models ?? [DEFAULT_MODEL]).map((model) => ({
      object: 'model',
      owned_by: 'tests',
      ...(typeof model === 'string' ? { id: model } : model),
    }));
  }

  /** @param {ServerResponse} response @returns {Promise<void>} */
  function held(response) {
    return new Promise((resolve) => {
      const go = () => {
        const at = waiting.indexOf(go);
        if (at >= 0) waiting.splice(at, 1);
        resolve();
      };
      waiting.push(go);
      response.once('close', go);
      changed();
    });
  }

  function changed() {
    for (const watcher of [...watchers]) watcher();
  }

  /** @returns {Promise<void>} */
  function listen() {
    return new Promise((resolve, reject) => {
      http.once('error', reject);
      http.listen(state.port, host, () => {
        http.off('error', reject);
        const address = http.address();
        if (address !== null && typeof address === 'object') state.port = address.port;
        resolve();
      });
    });
  }

  /** @returns {Promise<void>} */
  function close() {
    kept.clear();
    return new Promise((resolve) => {
      http.close(() => resolve());
      for (const socket of sockets) socket.resetAndDestroy();
    });
  }

  await listen();
  const origin = () => `http://${host.includes(':') ? `[${host}]` : host}:${state.port}`;

  /** @type {ModelServer} */
  const server = {
    get url() {
      return `${origin()}${basePath()}`;
    },
    get origin() {
      return origin();
    },
    get port() {
      return state.port;
    },
    host,
    requests,
    otherRequests,
    get preflights() {
      return state.preflights;
    },
    get inFlight() {
      return state.inFlight;
    },
    get maxInFlight() {
      return state.maxInFlight;
    },
    get held() {
      return waiting.length;
    },
    get generatedTokens() {
      return state.generatedTokens;
    },
    countByContent() {
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const { content } of requests) counts.set(content, (counts.get(content) ?? 0) + 1);
      return counts;
    },
    script(fn) {
      scripts.chats = fn;
    },
    scriptOthers(fn) {
      scripts.others = fn;
    },
    set(changes) {
      Object.assign(options, changes);
    },
    hold() {
      state.holding = true;
    },
    release(count) {
      if (count === undefined) state.holding = false;
      for (const go of waiting.slice(0, count ?? waiting.length)) go();
    },
    waitFor(predicate, timeoutMs = 10_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(ask);
          reject(new Error(`the model server waited ${timeoutMs} ms in vain (${requests.length} chats so far)`));
        }, timeoutMs);
        const ask = () => {
          if (!predicate(server)) return;
          watchers.delete(ask);
          clearTimeout(timer);
          resolve();
        };
        watchers.add(ask);
        ask();
      });
    },
    killConnections() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async stop() {
      server.release();
      if (http.listening) await close();
    },
    async restart() {
      if (http.listening) await close();
      await listen();
    },
    forget() {
      requests.length = 0;
      otherRequests.length = 0;
      state.generatedTokens = 0;
      state.preflights = 0;
      state.maxInFlight = state.inFlight;
    },
  };
  return server;
}

/** @param {number} status @param {string} message @param {string} type @param {string | null} param @returns {Behaviour} */
function refusal(status, message, type, param = null) {
  return { type: 'json', status, body: { error: { message, type, param, code: status } } };
}

/** @param {IncomingMessage} request @returns {Promise<ChatBody>} */
async function bodyOf(request) {
  /** @type {Buffer[]} */
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8');
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return { unparsed: text };
  }
}
