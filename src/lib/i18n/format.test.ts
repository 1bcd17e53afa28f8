import { describe, expect, test } from 'vitest';
import { formatsFor } from './format';

const en = formatsFor('en');
const zh = formatsFor('zh-CN');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('numbers carry the marks of their language', () => {
  expect(en.number(1200.4)).toBe('1,200');
  expect(en.compact(198_400)).toBe('198.4K');
  expect(zh.compact(198_400)).toBe('19.8万');
  expect(en.decimal(17.86)).toBe('17.9');
  expect(en.decimal(1384.12)).toBe('1,384');
});

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [52_428_800, '50 MB'],
  [3 * 1024 ** 3, '3 GB'],
])('%d bytes are %s', (sizeBytes, shown) => {
  expect(en.bytes(sizeBytes)).toBe(shown);
});

test.each([
  [38 * MINUTE_MS, 52 * MINUTE_MS, '38–52 min', '38–52 分钟'],
  [70_000, 90_000, '70–90 s', '70–90 秒'],
  [9.8 * HOUR_MS, 12.26 * HOUR_MS, '9.8–12.3 h', '9.8–12.3 小时'],
  [50 * HOUR_MS, 60 * HOUR_MS, '2.1–2.5 d', '2.1–2.5 天'],
  [30 * MINUTE_MS, 30.2 * MINUTE_MS, '30 min', '30 分钟'],
])('%d to %d milliseconds left', (lowMs, highMs, english, chinese) => {
  expect(en.timeLeft({ lowMs, highMs })).toBe(english);
  expect(zh.timeLeft({ lowMs, highMs })).toBe(chinese);
});

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [12, '<0.1 s'],
  [340, '0.3 s'],
  [960, '1 s'],
  [9_400, '9 s'],
  [12 * MINUTE_MS, '12 min'],
  [3 * HOUR_MS + 20 * MINUTE_MS, '3 h 20 min'],
  [3 * HOUR_MS, '3 h'],
  [3 * HOUR_MS - 10, '3 h'],
  [52 * HOUR_MS, '2 d 4 h'],
])('a duration of %d milliseconds', (durationMs, shown) => {
  expect(en.duration(durationMs)).toBe(shown);
});

test.each([
  [59_400, '59 s', '59 秒'],
  [59_600, '1 min', '1 分钟'],
  [72_000, '1 min 12 s', '1 分 12 秒'],
  [3 * MINUTE_MS, '3 min', '3 分钟'],
  [9 * MINUTE_MS + 59_000, '9 min 59 s', '9 分 59 秒'],
  [9 * MINUTE_MS + 59_600, '10 min', '10 分钟'],
  [10 * MINUTE_MS + 12_000, '10 min', '10 分钟'],
  [59 * MINUTE_MS + 40_000, '1 h', '1 小时'],
])('a short run of %d milliseconds is told to the second', (durationMs, english, chinese) => {
  expect(en.duration(durationMs)).toBe(english);
  expect(zh.duration(durationMs)).toBe(chinese);
});

describe('times', () => {
  const now = new Date(2026, 10, 29, 9, 0).getTime();

  test.each([
    [new Date(2026, 10, 29, 6, 12), '06:12', '06:12'],
    [new Date(2026, 10, 28, 22, 40), 'yesterday 22:40', '昨天 22:40'],
    [new Date(2026, 10, 3, 0, 5), 'Nov 3 00:05', '11月3日 00:05'],
    [new Date(2025, 10, 3, 0, 5), 'Nov 3, 2025 00:05', '2025年11月3日 00:05'],
  ])('%s', (at, english, chinese) => {
    expect(en.when(at.getTime(), now)).toBe(english);
    expect(zh.when(at.getTime(), now)).toBe(chinese);
  });

  test('distances go both ways', () => {
    expect(en.relative(now + 3 * 24 * HOUR_MS, now)).toBe('in 3 days');
    expect(en.relative(now - 3 * 24 * HOUR_MS, now)).toBe('3 days ago');
    expect(en.relative(now - 500, now)).toBe('now');
    expect(zh.relative(now + 3 * 24 * HOUR_MS, now)).toBe('3 天后');
  });
});
