import { expect, it } from 'vitest';
import { formatsFor } from './format';
import { messagesFor } from './messages';

const TOUCHING = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

it('Chinese and Latin words are set apart', () => {
  const texts = textsIn(messagesFor('zh-CN'));
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.filter((text) => TOUCHING.test(text))).toEqual([]);
});

it('numbers and Chinese words are set apart in spans of time', () => {
  const zh = formatsFor('zh-CN');
  const hourMs = 3_600_000;
  const times = [5, 50, 100].flatMap((hours) => [
    zh.duration(hours * hourMs),
    zh.relative(hours * hourMs, 0),
    zh.relative(-hours * hourMs, 0),
    zh.timeLeft({ lowMs: hours * hourMs, highMs: hours * 2 * hourMs }),
  ]);
  expect(times.filter((text) => TOUCHING.test(text))).toEqual([]);
});
