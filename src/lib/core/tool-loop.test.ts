import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolCallId } from './tool';
import { loopStop, ranRecord, refusedRecord, type CallRecord, type LoopLimits } from './tool-loop';

const LIMITS: LoopLimits = { equalFailures: 3, unknownTools: 3, brokenCalls: 2, turns: 10 };
const call = (name: string, path = '') => ({ id: toolCallId('c'), name, arguments: { path }, raw: '' });
const failed = (name: string, path = '') => ranRecord(call(name, path), true);
const done = (name: string, path = '') => ranRecord(call(name, path), false);
const unknown = (name: string) => refusedRecord({ ...call(name), refusal: 'unknown_tool' });
const broken = (raw: string) =>
  refusedRecord({ id: toolCallId('c'), name: 'write', refusal: 'cut', arguments: null, raw });

describe('loopStop', () => {
  it.each<[string, CallRecord[][], string | null]>([
    ['nothing', [], null],
    ['the same failure twice', [[failed('a')], [failed('a')]], null],
    ['the same failure three times', [[failed('a')], [failed('a')], [failed('a')]], 'equal_failures'],
    [
      'with other calls in between',
      [[failed('a')], [done('b')], [failed('a')], [done('b')], [failed('a')]],
      'equal_failures',
    ],
    ['that succeeded in between', [[failed('a')], [failed('a')], [done('a')], [failed('a')]], null],
    ['with other arguments', [[failed('a', '1')], [failed('a', '2')], [failed('a', '3')]], null],
    ['three at once', [[failed('a'), failed('a'), failed('a')]], null],
    ['successes for ever', Array.from({ length: 9 }, () => [done('a')]), null],
    ['too many turns', Array.from({ length: 10 }, () => [done('a')]), 'turn_limit'],
    ['the same unknown tool', [[unknown('x')], [unknown('x')], [unknown('x')]], 'equal_failures'],
    ['drifting unknown names', [[unknown('x')], [unknown('y')], [unknown('z')]], 'unknown_tools'],
    ['unknown names beside failures', [[unknown('x')], [unknown('y'), failed('a')], [unknown('z')]], 'unknown_tools'],
    ['unknown names, but it found its way', [[unknown('x')], [unknown('y')], [done('a')], [unknown('z')]], null],
    ['several unknown names at once', [[unknown('x'), unknown('y'), unknown('z')]], null],
    ['one broken call', [[broken('1')]], null],
    ['a repair that is broken too', [[broken('1')], [broken('2')]], 'broken_calls'],
    ['a repair that held', [[broken('1')], [done('a')], [broken('2')]], null],
  ])('%s', (_, turns, stop) => expect(loopStop(turns, LIMITS)).toBe(stop));

  it('always comes to an end, and stays there', () => {
    const record = fc.constantFrom(
      failed('a'),
      failed('b'),
      done('a'),
      done('c'),
      unknown('x'),
      unknown('y'),
      broken('1'),
    );
    fc.assert(
      fc.property(fc.array(fc.array(record, { maxLength: 3 }), { minLength: 10, maxLength: 14 }), (turns) => {
        const stops = turns.map((_, n) => loopStop(turns.slice(0, n + 1), LIMITS));
        const first = stops.findIndex((stop) => stop !== null);
        expect(first).toBeGreaterThanOrEqual(0);
        if (stops[first] !== 'turn_limit') expect(new Set(stops.slice(first)).size).toBe(1);
      }),
    );
  });
});
