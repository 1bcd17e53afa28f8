import { describe, expect, it } from 'vitest';
import { sampleTask } from '../testing/sample-rows';
import { taskId } from '../core/ids';
import type { TaskRow } from '../core/task';
import { StartFindings } from './found-at-start.svelte';

const NOW = 1_000_000;
const recovery = (atMs: number) => ({ atMs, settledBefore: 0, repeated: 0, inFlight: 0, continuedTokens: 0 });
const task = (id: string, fields: Partial<TaskRow>) => sampleTask({ id: taskId(id), ...fields });

describe('what a start found', () => {
  it('counts tasks that had been running and were taken over since, and says when they last saved', () => {
    const findings = new StartFindings();
    const before = [
      task('a', { status: 'running', updatedMs: 100 }),
      task('b', { status: 'running', updatedMs: 300 }),
      task('in-another-tab', { status: 'running', updatedMs: 900 }),
      task('paused', { status: 'paused' }),
    ];
    findings.remember(before, NOW);
    expect(findings.of(before)).toBeNull();
    const after = [
      { ...(before[0] as TaskRow), recovery: recovery(NOW + 5) },
      {
        ...(before[1] as TaskRow),
        recovery: recovery(NOW + 6),
        status: 'paused' as const,
        reason: 'endpoint' as const,
      },
      { ...(before[2] as TaskRow), recovery: recovery(NOW - 5_000) },
      { ...(before[3] as TaskRow), recovery: recovery(NOW + 7), status: 'running' as const },
    ];
    expect(findings.of(after)).toEqual({ count: 2, waiting: 0, lastSavedMs: 300 });
  });

  it.each([
    ['paused', 'permission'],
    ['paused', 'approval'],
    ['paused', 'user'],
    ['failed', null],
  ] as const)('does not say of a task that is %s (%s) that it has gone on', (status, reason) => {
    const findings = new StartFindings();
    findings.remember([task('a', { status: 'running', updatedMs: 100 })], NOW);
    const after = [task('a', { status, reason, recovery: recovery(NOW + 5) })];
    expect(findings.of(after)).toEqual({ count: 0, waiting: 1, lastSavedMs: 100 });
  });

  it('is told once: what begins to run later was not found', () => {
    const findings = new StartFindings();
    findings.remember([], NOW);
    const later = [task('a', { status: 'running', recovery: recovery(NOW + 9) })];
    findings.remember(later, NOW + 9);
    expect(findings.of(later)).toBeNull();
  });
});
