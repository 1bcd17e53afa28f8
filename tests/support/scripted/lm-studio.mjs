// Speaks as LM Studio.
import { json } from './answers.mjs';

/** @import { Dialect } from './dialect-types' */

/** @type {Dialect} */
export const lmStudio = {
  contextTokens: 4_096,
  slots: 1,
  prefills: false,
  continues: false,
  tools: 'native',
  head: { system_fingerprint: 'lm-studio' },
  // Off until its switch is turned on; then for everybody.
  cors: (origin, { options }) =>
    options.allowedOrigins?.includes(origin)
      ? { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
      : null,
  models: ({ names }) => names.map((id) => ({ id, object: 'model', owned_by: 'organization_owner' })),
  refuseKey: () =>
    json({ error: { message: 'Invalid API token', type: 'invalid_request_error', code: 'invalid_api_key' } }, 401),
  isOpen: () => false,
  route(world, { path }) {
    if (path !== '/api/v0/models') return null;
    return json({
      object: 'list',
      data: world.names.map((id, at) => ({
        id,
        object: 'model',
        type: 'llm',
        state: at === 0 ? 'loaded' : 'not-loaded',
        max_context_length: 131_072,
        ...(at === 0 ? { loaded_context_length: world.contextTokens } : {}),
      })),
    });
  },
  // 200, for any path it does not know.
  notFound: () => json({ error: 'Unexpected endpoint or method. (GET /)' }),
  refuseModel: (model) =>
    json({ error: { message: `Invalid model identifier "${model}".`, type: 'invalid_request_error' } }, 400),
  refuseOverflow: ({ promptTokens, contextTokens }) =>
    json(
      {
        error: `Trying to keep the first ${promptTokens} tokens when context the overflows. However, the model is loaded with context length of only ${contextTokens} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
      },
      400,
    ),
  refuseTools: () => json({ error: 'tools are not supported by this model' }, 400),
};
