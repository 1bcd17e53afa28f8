// Loads a recorded answer (`name.sse` with an optional `name.script.json`) as the behaviour that replays it.
import { existsSync, readFileSync } from 'node:fs';

/** @import { RawBehaviour } from './model-server-types' */

/**
 * @param {string | URL} sseFile path of the `.sse` file
 * @param {{ timeScale?: number }} [options] `timeScale` shortens recorded delays, 0.01 makes 45 s into 450 ms
 * @returns {RawBehaviour}
 */
export function recordedTranscript(sseFile, { timeScale = 1 } = {}) {
  const path = typeof sseFile === 'string' ? sseFile : sseFile.pathname;
  const scriptFile = path.replace(/\.sse$/, '.script.json');
  const script = existsSync(scriptFile) ? JSON.parse(readFileSync(scriptFile, 'utf8')) : {};
  return {
    type: 'raw',
    bytes: readFileSync(path),
    cuts: script.cut_at_byte_offsets ?? [],
    pauseMs: (script.pause_ms ?? 0) * timeScale,
    end: script.end ?? 'close',
    delayBeforeHeadersMs: (script.delay_before_headers_ms ?? 0) * timeScale,
  };
}

/**
 * A recorded plain HTTP answer: status, headers and a body that is JSON, or text as it is.
 * @param {string | URL} jsonFile
 * @returns {RawBehaviour & { expected: Record<string, unknown> }}
 */
export function recordedAnswer(jsonFile) {
  const recorded = JSON.parse(readFileSync(jsonFile, 'utf8'));
  const text = typeof recorded.body === 'string' ? recorded.body : JSON.stringify(recorded.body);
  return {
    type: 'raw',
    bytes: Buffer.from(text),
    status: recorded.status,
    headers: { 'content-type': 'application/json', ...recorded.headers },
    end: 'close',
    expected: recorded.expected,
  };
}
