// Speaks as Ollama.
import { json, plain } from './answers.mjs';

/** @import { Dialect, DialectWorld } from './dialect-types' */

/** @param {number} status @param {string} message @param {string} type */
const refusal = (status, message, type) => json({ error: { message, type, param: null, code: null } }, status);

const LOCAL = /^https?:\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0)(:\d+)?$/;
const HEADERS =
  'Authorization,Content-Type,User-Agent,Accept,X-Requested-With,OpenAI-Beta,x-stainless-arch,x-stainless-async,x-stainless-custom-poll-interval,x-stainless-helper-method,x-stainless-lang,x-stainless-os,x-stainless-package-version,x-stainless-poll-helper,x-stainless-retry-count,x-stainless-runtime,x-stainless-runtime-version,x-stainless-timeout';

/** @type {Dialect} */
export const ollama = {
  contextTokens: 4_096,
  slots: 1,
  prefills: true,
  continues: false,
  tools: 'native',
  head: { system_fingerprint: 'fp_ollama' },
  cors: (origin, { options }) =>
    (options.allowedOrigins ? options.allowedOrigins.includes(origin) : LOCAL.test(origin))
      ? {
          'access-control-allow-origin': origin,
          vary: 'Origin',
          'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
          'access-control-allow-headers': HEADERS,
        }
      : null,
  refuseOrigin: () => plain(403, ''),
  models: ({ names }) => names.map((id) => ({ id, object: 'model', created: 1_764_000_000, owned_by: 'library' })),
  refuseKey: () => refusal(401, 'unauthorized', 'api_error'),
  isOpen: () => false,
  route(world, { method, path, body }) {
    if (path === '/') return plain(200, 'Ollama is running');
    if (path === '/api/version') return json({ version: '0.13.1' });
    if (path === '/api/ps') {
      return json({
        models: [{ name: world.names[0], model: world.names[0], size: 1, context_length: world.contextTokens }],
      });
    }
    if (path === '/api/show' && method === 'POST') {
      if (!world.names.includes(String(body.model))) return json({ error: `model '${body.model}' not found` }, 404);
      return json({ parameters: 'stop "<|im_end|>"', model_info: { 'llama.context_length': 131_072 } });
    }
    return null;
  },
  notFound: () => plain(404, '404 page not found'),
  refuseModel: (model) => refusal(404, `model '${model}' not found`, 'not_found_error'),
  refuseOverflow: null,
  refuseTools: () => refusal(400, 'registry.ollama.ai/library/m does not support tools', 'invalid_request_error'),
};
