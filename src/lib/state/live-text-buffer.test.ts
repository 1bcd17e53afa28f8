import { describe, expect, it } from 'vitest';
import { fileStepKey, partStepKey, stepKey } from '../core/ids';
import { MAX_CONCURRENCY } from '../core/task';
import { fileOfStep, LiveTextBuffer } from './live-text-buffer';

describe('LiveTextBuffer', () => {
  it('keeps the newest text of as many files as may run at once', () => {
    const buffer = new LiveTextBuffer();
    for (let n = 0; n < MAX_CONCURRENCY; n += 1) buffer.put(fileStepKey(`${n}.txt`), 'old');
    buffer.put(fileStepKey('0.txt'), 'new');
    buffer.put(fileStepKey('late.txt'), 'late');
    const texts = buffer.snapshot();
    expect(texts.size).toBe(MAX_CONCURRENCY);
    expect(texts.get(fileStepKey('0.txt'))).toBe('new');
    expect(texts.has(fileStepKey('1.txt'))).toBe(false);
  });

  it('gives a snapshot that later texts do not change', () => {
    const buffer = new LiveTextBuffer();
    buffer.put(fileStepKey('a'), 'one');
    const before = buffer.snapshot();
    buffer.put(fileStepKey('a'), 'one two');
    expect(before.get(fileStepKey('a'))).toBe('one');
  });
});

describe('fileOfStep', () => {
  it('finds the file of a part, whatever its name', () => {
    expect(fileOfStep(partStepKey('odd #1.txt', 12))).toBe(fileStepKey('odd #1.txt'));
    expect(fileOfStep(fileStepKey('a/b.txt'))).toBe(fileStepKey('a/b.txt'));
    expect(fileOfStep(stepKey('merge/1/abc'))).toBeNull();
  });
});
