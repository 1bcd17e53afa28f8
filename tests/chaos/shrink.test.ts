import { expect, test } from 'vitest';
import type { Schedule } from './chaos-types';
import { makeSchedule } from './schedule.mjs';
import { shrink } from './shrink.mjs';

const SHAPE = { tasks: 1, minFiles: 200, maxFiles: 200, maxFilesInAll: 200, lengthMs: 1_000, events: 40 };
const schedule = makeSchedule(1, SHAPE);
const never = () => false;

function failsWith(...indexes: readonly number[]) {
  const guilty = indexes.map((index) => schedule.events[index]);
  return (candidate: Schedule) => Promise.resolve(guilty.every((one) => one && candidate.events.includes(one)));
}

test('what is left is what is at fault, in order', async () => {
  const smallest = await shrink(schedule, failsWith(3, 21, 38), never);
  expect(smallest.events).toEqual([3, 21, 38].map((index) => schedule.events[index]));
  expect(smallest.tasks).toEqual(schedule.tasks);
});

test('one event alone is found', async () => {
  expect((await shrink(schedule, failsWith(17), never)).events).toEqual([schedule.events[17]]);
});

test('when the time is over, the smallest that failed so far is what there is', async () => {
  let tries = 0;
  const fails = failsWith(3, 38);
  const smallest = await shrink(
    schedule,
    (candidate) => {
      tries += 1;
      return fails(candidate);
    },
    () => tries >= 4,
  );
  expect(tries).toBe(4);
  expect(await fails(smallest)).toBe(true);
});

test('a failure that does not come again leaves the schedule as it is', async () => {
  expect(await shrink(schedule, () => Promise.resolve(false), never)).toEqual(schedule);
});
