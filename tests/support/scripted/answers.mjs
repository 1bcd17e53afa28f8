// Small makers of scripted answers that the dialects share.

/** @import { Behaviour } from '../model-server-types' */

/** @param {unknown} body @param {number} [status] @returns {Behaviour} */
export function json(body, status = 200) {
  return { type: 'json', status, body };
}

/** @param {number} status @param {string} body @returns {Behaviour} */
export function plain(status, body) {
  return { type: 'raw', status, bytes: Buffer.from(body), headers: { 'content-type': 'text/plain' }, end: 'close' };
}

/** The body of a recorded exchange: what comes after the first empty line. @param {string} text @returns {string} */
export function recordedBody(text) {
  const [, ...rest] = text.split(/\r?\n\r?\n/);
  return rest.join('\n\n').trim();
}
