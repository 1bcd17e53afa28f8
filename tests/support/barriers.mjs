/** Ways to stop a scripted model server at a chosen point, so that a test acts there and nowhere else. */

/** @import { ModelServer, Behaviour } from './model-server-types' */

/**
 * The first `count` questions are answered as ever; every later one gets three tokens and then silence, as if it were
 * in mid stream for ever. `server.script(null)` ends it for new questions.
 * @param {ModelServer} server
 * @param {number} count
 */
export function stallAfter(server, count) {
  let asked = 0;
  server.script(() => (asked++ < count ? null : { type: 'stall', after: 'tokens', tokens: 3 }));
}

/**
 * The first `count` questions are answered as ever; every later one waits before its headers until `open` is called.
 * @param {ModelServer} server
 * @param {number} count
 * @param {{ then?: () => Behaviour }} [options] what the waiting ones get; by default the usual answer
 * @returns {{ open: () => void }}
 */
export function gateAfter(server, count, { then } = {}) {
  let asked = 0;
  /** @type {() => void} */
  let open = () => undefined;
  /** @type {Promise<void>} */
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  server.script(async () => {
    if (asked++ < count) return null;
    await opened;
    return then?.() ?? null;
  });
  return { open };
}
