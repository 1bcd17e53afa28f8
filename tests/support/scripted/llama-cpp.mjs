// Speaks as llama.cpp's server, from recordings of build b11669 (tests/cases/servers).
import { readFileSync } from 'node:fs';
import { promptTokens, tokensOf } from '../model-answers.mjs';
import { json, recordedBody } from './answers.mjs';

/** @import { Dialect } from './dialect-types' */
/** @import { ChatBody } from '../model-server-types' */

const cases = new URL('../../cases/servers/', import.meta.url);
/** @param {string} name */
const recorded = (name) => JSON.parse(recordedBody(readFileSync(new URL(`llama-cpp-${name}.txt`, cases), 'utf8')));

const BUILD = 'b11669-Debian';

/** @param {number} code @param {string} message @param {string} type @param {object} [more] */
const refusal = (code, message, type, more = {}) => json({ error: { code, message, type, ...more } }, code);

/** @type {Dialect} */
export const llamaCpp = {
  contextTokens: 8192,
  slots: 2,
  prefills: true,
  continues: true,
  keepsStreams: true,
  tools: 'native',
  head: { system_fingerprint: BUILD },
  cors: (origin) => ({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': '*',
  }),
  models: ({ names, contextTokens }) =>
    names.map((id) => {
      const [model] = recorded('02-models').data;
      return { ...model, id, aliases: [id], meta: { ...model.meta, n_ctx: contextTokens } };
    }),
  // While it loads, every route says so, CORS headers and all.
  gate: ({ options }) => (options.loading ? refusal(503, 'Loading model', 'unavailable_error') : null),
  refuseKey: () => refusal(401, 'Invalid API Key', 'authentication_error'),
  isOpen: (path) => path === '/health',
  route(world, { method, path, query, body }) {
    if (path === '/health') return json({ status: 'ok' });
    if (path === '/props') return json(props(world));
    if (path === '/slots') {
      return json(
        Array.from({ length: world.slots }, (_, id) => ({
          ...recorded('04-slots')[0],
          id,
          n_ctx: world.contextTokens,
          is_processing: id < world.busy,
        })),
      );
    }
    const kept = keptStream(world, { method, path, query });
    if (kept) return kept;
    if (method !== 'POST') return null;
    if (path === `${world.basePath}/streams/lookup`)
      return json(world.kept.lookUp(/** @type {string[]} */ (body.conversation_ids ?? [])));
    if (path === '/apply-template') return json({ prompt: chatMl(body) });
    if (path === '/tokenize') return json({ tokens: tokensOf(String(body.content ?? '')).map((_, id) => id) });
    if (path === `${world.basePath}/chat/completions/input_tokens`) {
      return json({ input_tokens: promptTokens(body), object: 'response.input_tokens' });
    }
    return null;
  },
  notFound: () => refusal(404, 'File Not Found', 'not_found_error'),
  refuseModel: null,
  refuseOverflow: ({ promptTokens: used, contextTokens: n_ctx }) =>
    refusal(
      400,
      `request (${used} tokens) exceeds the available context size (${n_ctx} tokens), try increasing it`,
      'exceed_context_size_error',
      { n_prompt_tokens: used, n_ctx },
    ),
  refuseTools: () => refusal(500, 'tools param requires --jinja flag', 'server_error'),
};

/** @param {import('./dialect-types').DialectWorld} world @param {{ method: string, path: string, query: URLSearchParams }} asked */
function keptStream({ basePath, kept }, { method, path, query }) {
  if (path !== `${basePath}/stream`) return null;
  const id = query.get('conv_id') ?? '';
  if (method === 'DELETE') {
    kept.remove(id);
    return json('', 204);
  }
  const stream = kept.get(id);
  if (!stream) return refusal(404, 'Stream not found or expired', 'not_found_error');
  return /** @type {const} */ ({ type: 'kept', stream, from: Number(query.get('from') ?? 0) });
}

/** @param {import('./dialect-types').DialectWorld} world */
function props({ contextTokens, slots, names, options }) {
  const found = recorded('03-props');
  const supports = (options.tools ?? 'native') === 'native';
  return {
    ...found,
    default_generation_settings: { ...found.default_generation_settings, n_ctx: contextTokens },
    total_slots: slots,
    model_alias: names[0],
    chat_template_caps: { supports_tools: supports, supports_tool_calls: supports },
    build_info: BUILD,
  };
}

/** @param {ChatBody} body */
function chatMl({ messages = [], add_generation_prompt: adds = true, continue_final_message: goesOn }) {
  const last = messages.at(-1);
  const isOpen = last?.role === 'assistant' && (goesOn === true || goesOn === undefined);
  const closed = isOpen ? messages.slice(0, -1) : messages;
  const turns = closed.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('');
  if (isOpen) return `${turns}<|im_start|>assistant\n${last.content}`;
  return `${turns}${adds ? '<|im_start|>assistant\n' : ''}`;
}
