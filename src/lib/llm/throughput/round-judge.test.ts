import { describe, expect, it } from 'vitest';
import { RoundJudge } from './round-judge';

/** Judges rounds in turn; the last verdict. */
function judged(judge: RoundJudge, ...rounds: readonly (readonly [atOnce: number, latencyMs: number])[]) {
  return rounds.map(([atOnce, latencyMs]) => judge.judge(atOnce, latencyMs)).at(-1);
}

describe('RoundJudge', () => {
  it('goes back to what was worth its requests when a quarter more brings nothing', () => {
    const judge = new RoundJudge();
    expect(judged(judge, [8, 100], [9, 112])).toBe('grow');
    expect(judged(judge, [10, 125])).toBe('back');
    expect(judge.settledAt).toBe(8);
  });

  it('takes a queue for no trouble, and more than a queue for trouble', () => {
    expect(judged(new RoundJudge(), [8, 100], [20, 300])).toBe('back');
    expect(judged(new RoundJudge(), [8, 100], [8, 201])).toBe('halve');
    expect(judged(new RoundJudge(), [8, 100], [16, 401])).toBe('halve');
    // Fewer at once should not be slower.
    expect(judged(new RoundJudge(), [8, 100], [4, 201])).toBe('halve');
  });

  it('stays for eight rounds and then measures anew', () => {
    const judge = new RoundJudge();
    judged(judge, [8, 100], [10, 125]);
    const stays = Array.from({ length: 8 }, () => judge.judge(8, 100));
    expect(new Set(stays)).toEqual(new Set(['stay']));
    expect(judge.judge(8, 100)).toBe('grow');
    expect(judge.judge(10, 105)).toBe('grow');
    expect(judge.settledAt).toBe(10);
  });

  it('notices trouble while it stays', () => {
    expect(judged(new RoundJudge(), [8, 100], [10, 125], [8, 100], [8, 300])).toBe('halve');
  });

  it('follows a server that gets slower bit by bit', () => {
    const judge = new RoundJudge();
    const slower = Array.from({ length: 60 }, (_, round) => [8, 100 * 1.03 ** round] as const);
    expect(slower.map(([atOnce, latencyMs]) => judge.judge(atOnce, latencyMs))).not.toContain('halve');
  });

  it('measures anew after a halving', () => {
    const judge = new RoundJudge();
    judged(judge, [8, 100], [8, 300]);
    expect(judge.settledAt).toBeNull();
    expect(judge.judge(4, 300)).toBe('grow');
  });

  it('makes nothing of answers that took no time', () => {
    expect(judged(new RoundJudge(), [8, 0], [9, 0], [10, 50])).toBe('grow');
  });
});
