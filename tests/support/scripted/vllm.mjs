// Speaks as vLLM.
import { promptTokens } from '../model-answers.mjs';
import { json } from './answers.mjs';

/** @import { Dialect } from './dialect-types' */

/** @param {number} code @param {string} message @param {string} type @param {string | null} [param] */
const refusal = (code, message, type, param = null) => json({ error: { message, type, param, code } }, code);

/** @type {Dialect} */
export const vllm = {
  contextTokens: 16_384,
  slots: 32,
  prefills: false,
  continues: true,
  tools: 'refused',
  head: {},
  cors: (origin, { options }) =>
    options.allowedOrigins && !options.allowedOrigins.includes(origin)
      ? null
      : {
          'access-control-allow-origin': options.allowedOrigins ? origin : '*',
          'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
        },
  models: ({ names, contextTokens }) =>
    names.map((id) => ({
      id,
      object: 'model',
      created: 1_764_000_000,
      owned_by: 'vllm',
      root: id,
      parent: null,
      max_model_len: contextTokens,
    })),
  // The check of the key lies outside the one of origins: its answer has no CORS headers.
  refuseKey: () => ({ type: 'json', status: 401, body: { error: 'Unauthorized' }, cors: false }),
  isOpen: (path, { basePath }) => !path.startsWith(basePath),
  route(world, { method, path, body }) {
    if (path === '/health' || path === '/ping') return json('');
    if (path === '/version') return json({ version: '0.11.2' });
    if (path === '/tokenize' && method === 'POST') {
      return json({ count: promptTokens(body), max_model_len: world.contextTokens, tokens: [] });
    }
    return null;
  },
  notFound: () => json({ detail: 'Not Found' }, 404),
  refuseModel: (model) => refusal(404, `The model \`${model}\` does not exist.`, 'NotFoundError', 'model'),
  refuseOverflow: ({ promptTokens: used, outputTokens, contextTokens }) =>
    refusal(
      400,
      `This model's maximum context length is ${contextTokens} tokens. However, you requested ${outputTokens} output tokens and your prompt contains at least ${used} input tokens, for a total of at least ${used + outputTokens} tokens. Please reduce the length of the input prompt or the number of requested output tokens.`,
      'BadRequestError',
      'input_tokens',
    ),
  refuseTools: () =>
    refusal(
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      'BadRequestError',
    ),
};
