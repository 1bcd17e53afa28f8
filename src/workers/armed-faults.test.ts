import { expect, it } from 'vitest';
import type { FaultOrder, FaultPoint } from '../lib/core/fault-points';
import { taskId } from '../lib/core/ids';
import { ArmedFaults } from './armed-faults';

const MINE = taskId('mine');
const OTHER = taskId('other');
const ORDER: FaultOrder = { taskId: MINE, point: 'before-commit', nth: 2, how: 'throw' };

function armed(order: Partial<FaultOrder> = {}) {
  const stopped: FaultPoint[] = [];
  const faults = new ArmedFaults((point) => stopped.push(point));
  faults.arm({ ...ORDER, ...order });
  return { faults, stopped };
}

it('throws at the nth time that the task passes the point, once', () => {
  const { faults } = armed();
  expect(faults.reach('before-commit', MINE)).toBeUndefined();
  expect(() => faults.reach('before-commit', MINE)).toThrow('before-commit');
  for (let times = 0; times < 3; times += 1) expect(faults.reach('before-commit', MINE)).toBeUndefined();
});

it('concerns no other task and no other point', () => {
  const { faults, stopped } = armed({ nth: 1, how: 'stop' });
  expect(faults.reach('before-commit', OTHER)).toBeUndefined();
  expect(faults.reach('after-commit', MINE)).toBeUndefined();
  expect(stopped).toEqual([]);
});

it('stops the worker and never goes on from there', async () => {
  const { faults, stopped } = armed({ nth: 1, how: 'stop' });
  const reached = faults.reach('before-commit', MINE);
  expect(stopped).toEqual(['before-commit']);
  const passed = Symbol('passed');
  expect(await Promise.race([reached, Promise.resolve(passed)])).toBe(passed);
});

it('a new order for a task replaces the one before', () => {
  const { faults } = armed({ nth: 1 });
  faults.arm({ ...ORDER, point: 'after-own', nth: 1 });
  expect(faults.reach('before-commit', MINE)).toBeUndefined();
  expect(() => faults.reach('after-own', MINE)).toThrow();
});
