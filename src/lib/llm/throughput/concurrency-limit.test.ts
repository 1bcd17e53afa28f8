import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit, type Sent } from './concurrency-limit';
import { concurrencyRange } from './concurrency-start';

function fill(limit: ConcurrencyLimit): Sent[] {
  const out: Sent[] = [];
  for (let sent = limit.send(); sent !== null; sent = limit.send()) out.push(sent);
  return out;
}

/** Keeps the limit full for so many answers, each as late as the server of `latencyMs` is at that width. */
function work(limit: ConcurrencyLimit, answers: number, latencyMs: (atOnce: number) => number): void {
  const out = fill(limit);
  for (let count = 0; count < answers; count += 1) {
    const oldest = out.shift();
    if (oldest) limit.answered(oldest, latencyMs(limit.out));
    out.push(...fill(limit));
  }
  for (const sent of out) limit.dropped(sent);
}

describe('where it begins', () => {
  it.each<[number | 'auto', number | null, { start: number; most: number }]>([
    [6, null, { start: 6, most: 6 }],
    [6, 2, { start: 6, most: 6 }],
    ['auto', 2, { start: 2, most: 2 }],
    ['auto', null, { start: 4, most: 32 }],
    ['auto', 1e9, { start: 64, most: 64 }],
    ['auto', 0, { start: 4, most: 32 }],
    ['auto', NaN, { start: 4, most: 32 }],
    [0, null, { start: 1, most: 1 }],
    [2.7, null, { start: 2, most: 2 }],
  ])('asked %s, slots %s', (asked, slots, range) => {
    expect(concurrencyRange(asked, slots)).toEqual(range);
  });
});

describe('how it grows', () => {
  it('by one after each round of good answers, up to the most', () => {
    const limit = new ConcurrencyLimit({ start: 3, most: 5 });
    work(limit, 3, () => 100);
    expect(limit.allowed).toBe(4);
    // Three that were sent before it grew say nothing of four.
    work(limit, 3, () => 100);
    expect(limit.allowed).toBe(4);
    work(limit, 40, () => 100);
    expect(limit.allowed).toBe(5);
  });

  it('not by answers to what was sent before it grew', () => {
    const limit = new ConcurrencyLimit({ start: 3, most: 8 });
    const out = fill(limit);
    const allowedAfter = Array.from({ length: 9 }, () => {
      const oldest = out.shift();
      if (oldest) limit.answered(oldest, 100);
      out.push(...fill(limit));
      return limit.allowed;
    });
    // After the third, two more that were out under three; then four under four.
    expect(allowedAfter).toEqual([3, 3, 4, 4, 4, 4, 4, 4, 5]);
  });

  it('not where there is too little work to fill it', () => {
    const limit = new ConcurrencyLimit({ start: 4, most: 16 });
    for (let count = 0; count < 100; count += 1) {
      const sent = limit.send();
      if (sent) limit.answered(sent, 100);
    }
    expect(limit.allowed).toBe(4);
  });

  it('goes on with a batching server that gets slower and still does more', () => {
    const limit = new ConcurrencyLimit({ start: 4, most: 32 });
    work(limit, 3_000, (atOnce) => 100 + 2 * atOnce);
    expect(limit.allowed).toBe(32);
  });

  it('stays near what a server of four slots does at once', () => {
    const limit = new ConcurrencyLimit({ start: 1, most: 64 });
    work(limit, 3_000, (atOnce) => 100 * Math.max(1, atOnce / 4));
    expect(limit.allowed).toBeGreaterThanOrEqual(4);
    expect(limit.allowed).toBeLessThanOrEqual(6);
  });
});

describe('how it shrinks', () => {
  it('halves once for all that were out together', () => {
    const limit = new ConcurrencyLimit({ start: 16, most: 16 });
    const out = fill(limit);
    for (const sent of out) limit.refused(sent);
    expect(limit.allowed).toBe(8);
    for (const sent of fill(limit)) limit.refused(sent);
    expect(limit.allowed).toBe(4);
  });

  it('halves where answers take far longer than a queue would make them', () => {
    const limit = new ConcurrencyLimit({ start: 8, most: 8 });
    work(limit, 40, () => 100);
    expect(limit.allowed).toBe(8);
    work(limit, 8, () => 350);
    expect(limit.allowed).toBe(4);
  });

  it('never below one, and grows again from there', () => {
    const limit = new ConcurrencyLimit({ start: 2, most: 8 });
    for (let round = 0; round < 5; round += 1) for (const sent of fill(limit)) limit.refused(sent);
    expect(limit.allowed).toBe(1);
    work(limit, 200, () => 100);
    expect(limit.allowed).toBe(8);
  });

  it('follows a smaller number at once, and lets those end that are out', () => {
    const limit = new ConcurrencyLimit({ start: 8, most: 8 });
    const out = fill(limit);
    limit.setMost(2);
    expect(limit.allowed).toBe(2);
    expect(limit.out).toBe(8);
    for (const sent of out.slice(0, 6)) limit.answered(sent, 10);
    expect(limit.send()).toBeNull();
    for (const sent of out.slice(6)) limit.answered(sent, 10);
    expect(fill(limit)).toHaveLength(2);
  });

  it('follows a larger number at once only where it was not halved', () => {
    const limit = new ConcurrencyLimit({ start: 4, most: 4 });
    limit.setMost(6);
    expect(limit.allowed).toBe(6);
    for (const sent of fill(limit)) limit.refused(sent);
    limit.setMost(9);
    expect(limit.allowed).toBe(3);
  });
});

describe('whatever happens', () => {
  it('stays within its bounds, counts each end once and is halved at most once a round trip', () => {
    const step = fc.record({
      what: fc.constantFrom('send', 'answered', 'refused', 'dropped', 'again'),
      pick: fc.nat(1_000),
      latencyMs: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom(0, NaN, -1, Infinity)),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 400 }), (most, steps) => {
        const limit = new ConcurrencyLimit({ start: most, most });
        const out: { sent: Sent; isSinceCut: boolean }[] = [];
        let ended: Sent | null = null;
        for (const { what, pick, latencyMs } of steps) {
          const before = limit.allowed;
          if (what === 'send') {
            const sent = limit.send();
            expect(sent === null).toBe(out.length >= before);
            if (sent) out.push({ sent, isSinceCut: true });
            continue;
          }
          if (what === 'again') {
            if (ended) limit.refused(ended);
            expect(limit.allowed).toBe(before);
            continue;
          }
          const [chosen] = out.splice(pick % Math.max(1, out.length), 1);
          if (!chosen) continue;
          ended = chosen.sent;
          if (what === 'answered') limit.answered(chosen.sent, latencyMs);
          else limit[what](chosen.sent);
          expect(limit.out).toBe(out.length);
          expect(limit.allowed).toBeGreaterThanOrEqual(1);
          expect(limit.allowed).toBeLessThanOrEqual(Math.min(most, before + 1));
          if (limit.allowed < before && what === 'refused') {
            expect(chosen.isSinceCut).toBe(true);
            expect(limit.allowed).toBe(Math.max(1, Math.floor(before / 2)));
            for (const each of out) each.isSinceCut = false;
          }
        }
      }),
    );
  });
});
