import { expect, test } from 'vitest';
import { CAUSES } from './causes.mjs';
import { makeSchedule, readSchedule, WEIGHTS } from './schedule.mjs';

const SHAPE = { tasks: 3, minFiles: 200, maxFiles: 2_000, maxFilesInAll: 2_400, lengthMs: 100_000, events: 400 };

test('the same seed draws the same schedule, and another one another', () => {
  expect(makeSchedule(7, SHAPE)).toEqual(makeSchedule(7, SHAPE));
  expect(makeSchedule(7, SHAPE)).not.toEqual(makeSchedule(8, SHAPE));
});

test('every cause is drawn, and every cause that is drawn can be done', () => {
  const causes = Object.keys(WEIGHTS);
  for (const events of [causes.length, 400]) {
    const drawn = new Set(makeSchedule(1, { ...SHAPE, events }).events.map(({ what }) => what));
    expect([...drawn].sort()).toEqual(causes.sort());
  }
  expect(makeSchedule(1, { ...SHAPE, events: 5 }).events).toHaveLength(5);
  expect(Object.keys(CAUSES).sort()).toEqual(Object.keys(WEIGHTS).sort());
});

test('tasks keep to the sizes asked for, and take about as long as each other', () => {
  const rounds = Array.from({ length: 50 }, (_, seed) => makeSchedule(seed, SHAPE).tasks);
  for (const tasks of rounds)
    expect(tasks.reduce((sum, { files }) => sum + files, 0)).toBeLessThanOrEqual(SHAPE.maxFilesInAll);
  expect(Math.max(...rounds.flat().map(({ files }) => files))).toBeGreaterThan(1_000);
  for (const { files, answerMs, concurrency } of rounds.flat()) {
    expect(files).toBeGreaterThanOrEqual(SHAPE.minFiles);
    expect(files).toBeLessThanOrEqual(SHAPE.maxFiles);
    expect(Math.abs((files * answerMs) / concurrency / SHAPE.lengthMs - 1)).toBeLessThan(0.05);
  }
});

test('a schedule that was printed is read back whole, and anything else is refused', () => {
  const schedule = makeSchedule(5, SHAPE);
  expect(readSchedule(JSON.stringify(schedule))).toEqual(schedule);
  expect(() => readSchedule('{"v":2}')).toThrow('no schedule');
  const unknown = JSON.stringify({ ...schedule, events: [{ ...schedule.events[0], what: 'moon falls' }] });
  expect(() => readSchedule(unknown)).toThrow('moon falls');
});
