import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import { fail, ok, type Result } from '../core/result';
import { FakeClock } from '../testing/fake-clock';
import { untilStored } from './until-stored';

function asking(...answers: Result<string>[]) {
  const clock = new FakeClock();
  const stop = new AbortController();
  let asked = 0;
  const answered = untilStored(clock, stop.signal, () => {
    asked += 1;
    return Promise.resolve(answers.shift() ?? fail(failure('storage_full')));
  });
  answered.catch(() => undefined);
  return { clock, stop, answered, asked: () => asked };
}

const refusal = (code: FailureCode) => fail(failure(code));

it('asks again every two seconds while waiting helps, and gives the answer', async () => {
  const { clock, answered, asked } = asking(refusal('storage_full'), refusal('storage_closed'), ok('row'));
  await clock.advance(1_999);
  expect(asked()).toBe(1);
  await clock.advance(1);
  expect(asked()).toBe(2);
  expect(await clock.run(answered)).toEqual(ok('row'));
  expect([asked(), clock.monotonicMs()]).toEqual([3, 4_000]);
});

it.each(['fenced', 'task_missing', 'row_unreadable', 'row_from_newer_version'] satisfies FailureCode[])(
  '%s comes back at once: no waiting mends it',
  async (code) => {
    const { clock, answered, asked } = asking(refusal(code), ok('too late'));
    expect(await answered).toMatchObject({ ok: false, failure: { code } });
    expect([asked(), clock.sleepers]).toEqual([1, 0]);
  },
);

it('an abort ends the wait, and nothing is asked after it', async () => {
  const { clock, stop, answered, asked } = asking();
  await clock.advance(10_000);
  expect(asked()).toBe(6);
  stop.abort();
  await expect(answered).rejects.toMatchObject({ name: 'AbortError' });
  await clock.advance(10_000);
  expect([asked(), clock.sleepers]).toEqual([6, 0]);
});

it('a defect of storage is not waited for', async () => {
  const broken = untilStored(new FakeClock(), new AbortController().signal, () => Promise.reject(new TypeError('bug')));
  await expect(broken).rejects.toThrow('bug');
});
