import { describe, expect, it } from 'vitest';
import { NO_COUNTS } from '../../core/counts';
import { NO_PACE } from '../../core/task';
import { filesPerMinute, tokensPerSecond } from './speed';

const counts = { ...NO_COUNTS, planned: 100, done: 20, reused: 4, failed: 4, skipped: 2 };
const pace = { samples: 10, meanMs: 3_000, m2: 0 };

describe('filesPerMinute', () => {
  it('is the pace of now while running and the whole afterwards', () => {
    expect(filesPerMinute({ status: 'running', pace, counts, activeMs: 60_000 })).toBe(20);
    expect(filesPerMinute({ status: 'completed', pace, counts, activeMs: 60_000 })).toBe(30);
  });

  it('says nothing before it knows', () => {
    expect(filesPerMinute({ status: 'running', pace: NO_PACE, counts: NO_COUNTS, activeMs: 500 })).toBeNull();
    expect(filesPerMinute({ status: 'running', pace: NO_PACE, counts, activeMs: 500 })).toBeNull();
    expect(filesPerMinute({ status: 'completed', pace, counts, activeMs: 0 })).toBeNull();
  });

  it('says nothing while the task stands still', () => {
    expect(filesPerMinute({ status: 'paused', pace, counts, activeMs: 60_000 })).toBeNull();
  });
});

describe('tokensPerSecond', () => {
  it('counts what was answered over the time of running', () => {
    const usage = { promptTokens: 9_000, completionTokens: 500, estimated: false };
    expect(tokensPerSecond({ usage, activeMs: 10_000 })).toBe(50);
    expect(tokensPerSecond({ usage, activeMs: 0 })).toBeNull();
  });
});
