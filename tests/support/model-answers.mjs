// What the scripted model says when nobody scripted it: the same text for the same question, on every run.
import { createHash } from 'node:crypto';

/** @import { ChatBody } from './model-server-types' */

const TOKEN = /\s*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\s*[^\s\p{Script=Han}]{1,12}|\s+/gu;

/** @param {string} text */
export function tokensOf(text) {
  return text.match(TOKEN) ?? [];
}

/** @param {string} content */
export function digestOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

/**
 * A short, structured summary that can be matched to its question: by digest, by first and by last line.
 * @param {string} content
 */
export function summaryOf(content) {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const clip = (/** @type {string | undefined} */ line) => (line ?? '').trim().slice(0, 120);
  return [
    `Summary ${digestOf(content)}`,
    '',
    `- Begins: ${clip(lines[0])}`,
    `- Ends: ${clip(lines.at(-1))}`,
    `- Length: ${content.length} characters in ${lines.length} lines`,
  ].join('\n');
}

/** @param {ChatBody} body */
export function lastUserText(body) {
  const last = (body.messages ?? []).filter((message) => message.role === 'user').at(-1);
  return typeof last?.content === 'string' ? last.content : '';
}

/** @param {ChatBody} body */
export function promptTokens(body) {
  return (body.messages ?? []).reduce((sum, message) => sum + tokensOf(String(message.content ?? '')).length + 4, 3);
}

/** @param {string} model @param {number} id @param {Record<string, unknown>} [more] */
export function frames(model, id, more = {}) {
  const head = {
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created: 1_764_000_000,
    model,
    ...more,
  };
  /** @param {object} delta @param {string | null} finish */
  const choice = (delta, finish = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return {
    choice,
    /** @param {object} usage */
    usage: (usage) => ({ ...head, choices: [], usage }),
    /** @param {unknown} value */
    frame: (value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`,
  };
}

/** @param {string[]} tokens @param {number} size */
export function grouped(tokens, size) {
  const groups = [];
  for (let at = 0; at < tokens.length; at += size) groups.push(tokens.slice(at, at + size).join(''));
  return groups;
}
