// What the server tells browsers of pages on other origins.

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { ModelServerOptions } from '../model-server-types' */
/** @import { Dialect, DialectWorld } from './dialect-types' */

/**
 * @param {IncomingMessage} request @param {ModelServerOptions} options
 * @param {{ dialect: Dialect } & DialectWorld | null} spoken
 * @returns {Record<string, string>}
 */
export function corsHeaders(request, options, spoken) {
  const origin = request.headers.origin;
  if (origin === undefined || options.cors === 'origin-missing') return {};
  if (spoken && options.cors === undefined) return spoken.dialect.cors(origin, spoken) ?? {};
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    ...(options.exposeHeaders ? { 'access-control-expose-headers': options.exposeHeaders } : {}),
  };
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {ModelServerOptions} options @param {Record<string, string>} cors */
export function answerPreflight(request, response, options, cors) {
  const asked = request.headers['access-control-request-headers'] ?? '';
  if (options.cors === 'no-options-handler') {
    response.writeHead(405, { allow: 'GET, POST' });
  } else if (options.dialect !== undefined && options.cors === undefined) {
    const isLetIn = cors['access-control-allow-origin'] !== undefined;
    response.writeHead(isLetIn ? 200 : 403, isLetIn ? { 'access-control-allow-headers': asked, ...cors } : {});
  } else {
    response.writeHead(204, {
      ...cors,
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': options.cors === 'headers-too-few' ? 'content-type, authorization' : asked,
    });
  }
  response.end();
}
