// Answers as the named server would: which routes, which refusals, in which order.
import { chatIn } from './chat.mjs';
import { llamaCpp } from './llama-cpp.mjs';
import { lmStudio } from './lm-studio.mjs';
import { ollama } from './ollama.mjs';
import { vllm } from './vllm.mjs';

/** @import { Dialect, DialectWorld } from './dialect-types' */
/** @import { Behaviour, DialectName, ModelServerOptions, ServedRequest } from '../model-server-types' */

/** @type {Record<DialectName, Dialect>} */
const DIALECTS = { vllm, 'llama.cpp': llamaCpp, ollama, 'lm-studio': lmStudio };

/** @param {DialectName} name @returns {Dialect} */
export function dialectNamed(name) {
  const dialect = DIALECTS[name];
  if (!dialect) throw new Error(`There is no dialect "${name}". Dialects: ${Object.keys(DIALECTS).join(', ')}.`);
  return dialect;
}

/**
 * @param {Dialect} dialect @param {ModelServerOptions} options @param {string} basePath @param {string} defaultModel
 * @param {number} busy @param {import('./kept-streams.mjs').KeptStreams} kept
 * @returns {DialectWorld}
 */
export function worldOf(dialect, options, basePath, defaultModel, busy, kept) {
  return {
    options,
    basePath,
    busy,
    kept,
    names: (options.models ?? [defaultModel]).map((model) => (typeof model === 'string' ? model : model.id)),
    contextTokens: options.contextTokens ?? dialect.contextTokens,
    slots: options.slots ?? dialect.slots,
  };
}

/** @param {Dialect} dialect @param {DialectWorld} world @param {ServedRequest} request @param {string} text @returns {Behaviour} */
export function answerIn(dialect, world, request, text) {
  const gated = dialect.gate?.(world, request);
  if (gated) return gated;
  const { options, basePath } = world;
  const isLetIn = options.key === undefined || request.headers.authorization === `Bearer ${options.key}`;
  if (!isLetIn && !dialect.isOpen(request.path, world)) return dialect.refuseKey();
  if (request.method === 'GET' && request.path === `${basePath}/models`) {
    return { type: 'json', body: { object: 'list', data: dialect.models(world) } };
  }
  if (request.method === 'POST' && request.path === `${basePath}/chat/completions`) {
    return chatIn(dialect, world, request, text);
  }
  return dialect.route(world, request) ?? dialect.notFound();
}
