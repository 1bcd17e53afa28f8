import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settle } from '../../testing/fake-clock';
import { ConcurrencyLimit } from './concurrency-limit';
import { RateBudget, type Rates } from './rate-budget';
import { SendLine, type SendTurn } from './send-line';

const HOME = 'http://127.0.0.1:8000/v1';
const OTHER = 'http://localhost:8000/v1';
const THIRD = 'http://[::1]:8000/v1';
const never = new AbortController().signal;

interface Setting {
  readonly most?: number;
  readonly others?: readonly string[];
  readonly same?: (baseUrl: string, signal: AbortSignal) => Promise<boolean>;
  readonly rates?: Rates;
}

function lineOf({ most = 100, others = [], same = () => Promise.resolve(true), rates }: Setting = {}) {
  const clock = new FakeClock();
  const limit = new ConcurrencyLimit({ start: most, most });
  const isSameServer = vi.fn(same);
  const line = new SendLine({
    home: { baseUrl: HOME, most: 6 },
    others: others.map((baseUrl) => ({ baseUrl, most: 6 })),
    isSameServer,
    limit,
    rates: new RateBudget(rates ?? { requestsPerMinute: null, tokensPerMinute: null }, clock),
    clock,
  });
  const turns: (SendTurn & { readonly name: number })[] = [];
  const enter = (name: number, signal = never, tokens = 1) =>
    line.enter(tokens, signal).then((turn) => void turns.push({ ...turn, name }));
  const enterMany = async (count: number) => {
    for (let name = 0; name < count; name += 1) void enter(name);
    await settle();
  };
  const at = (baseUrl: string) => turns.filter((turn) => turn.baseUrl === baseUrl).length;
  return { line, limit, clock, turns, enter, enterMany, at, isSameServer };
}

describe('one origin', () => {
  it('gives no more than six at once, the others in the order they came, with the time they waited', async () => {
    const { turns, enterMany, clock, line } = lineOf();
    await enterMany(9);
    expect(turns.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(line.waiting).toBe(3);
    await clock.advance(700);
    turns[3]?.end({ how: 'other' });
    turns[3]?.end({ how: 'other' });
    await settle();
    expect(turns.slice(6)).toMatchObject([{ name: 6, waitedMs: 700, baseUrl: HOME }]);
    expect(turns[0]?.waitedMs).toBe(0);
  });

  it('is never dropped, whatever fails there', async () => {
    const { turns, enterMany, at } = lineOf();
    await enterMany(20);
    for (let index = 0; index < 20; index += 1) {
      turns[index]?.end({ how: 'unserved' });
      await settle();
    }
    expect(at(HOME)).toBe(20);
  });

  it('lets out more when the limit has grown, and fewer after a refusal', async () => {
    const { turns, enterMany, limit, clock } = lineOf({ most: 4 });
    await enterMany(8);
    expect(turns).toHaveLength(4);
    for (const turn of turns.slice(0, 4)) turn.end({ how: 'refused' });
    await clock.advance(999);
    expect(turns).toHaveLength(4);
    await clock.advance(1);
    expect(limit.allowed).toBe(2);
    expect(turns).toHaveLength(6);
  });

  it('looks again when it is told that the limit was changed', async () => {
    const { turns, enterMany, limit, line } = lineOf({ most: 1 });
    await enterMany(3);
    limit.setMost(2);
    await settle();
    expect(turns).toHaveLength(1);
    line.look();
    await settle();
    expect(turns).toHaveLength(2);
    expect(line.waiting).toBe(1);
  });
});

describe('an abort', () => {
  it('before it stands in line rejects at once', async () => {
    const { line } = lineOf();
    await expect(line.enter(1, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(line.waiting).toBe(0);
  });

  it('in line leaves it, and the order of the others as it was', async () => {
    const { turns, enterMany, enter, line } = lineOf();
    await enterMany(6);
    const stop = new AbortController();
    const left = enter(6, stop.signal);
    void enter(7);
    stop.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    expect(line.waiting).toBe(1);
    turns[0]?.end({ how: 'other' });
    await settle();
    expect(turns[6]?.name).toBe(7);
  });

  it('after its turn came changes nothing, and its signal is let go of', async () => {
    const { enter, line, turns, limit } = lineOf();
    const stop = new AbortController();
    const added = vi.spyOn(stop.signal, 'addEventListener');
    const removed = vi.spyOn(stop.signal, 'removeEventListener');
    await enter(0, stop.signal);
    expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0]?.[1]);
    stop.abort();
    expect(limit.out).toBe(1);
    turns[0]?.end({ how: 'other' });
    expect(limit.out).toBe(0);
    expect(line.waiting).toBe(0);
  });
});

describe('rates', () => {
  it('let the line move as time passes, without a look by anybody', async () => {
    const { turns, enterMany, clock } = lineOf({ rates: { requestsPerMinute: 30, tokensPerMinute: null } });
    await enterMany(5);
    expect(turns).toHaveLength(3);
    await clock.advance(2_000);
    expect(turns).toHaveLength(4);
    await clock.advance(2_000);
    expect(turns[4]).toMatchObject({ name: 4, waitedMs: 4_000 });
    expect(clock.sleepers).toBe(0);
  });

  it('hold nobody up who is behind one that left', async () => {
    const { turns, enter, clock } = lineOf({ rates: { requestsPerMinute: null, tokensPerMinute: 60_000 } });
    await enter(0, never, 5_000);
    const stop = new AbortController();
    const large = enter(1, stop.signal, 6_000);
    void enter(2, never, 1_000);
    await settle();
    expect(turns).toHaveLength(1);
    stop.abort();
    await expect(large).rejects.toMatchObject({ name: 'AbortError' });
    await settle();
    expect(turns[1]).toMatchObject({ name: 2, waitedMs: 0 });
    expect(clock.sleepers).toBe(0);
  });

  it('are corrected by what the server counted', async () => {
    const { turns, enter, clock } = lineOf({ rates: { requestsPerMinute: null, tokensPerMinute: 60_000 } });
    await enter(0, never, 6_000);
    void enter(1, never, 6_000);
    await settle();
    turns[0]?.end({ how: 'answered', latencyMs: 10, countedTokens: 3_000 });
    await clock.advance(3_000);
    expect(turns[1]).toMatchObject({ name: 1, waitedMs: 3_000 });
  });
});

describe('lanes', () => {
  it('are asked only when home is full, and used only when they are the same server', async () => {
    const { enterMany, at, isSameServer, line } = lineOf({
      others: [OTHER, THIRD],
      same: (baseUrl) => Promise.resolve(baseUrl === THIRD),
    });
    await enterMany(6);
    expect(isSameServer).not.toHaveBeenCalled();
    await enterMany(8);
    expect(isSameServer.mock.calls.map(([baseUrl]) => baseUrl)).toEqual([OTHER, THIRD]);
    expect([at(HOME), at(OTHER), at(THIRD)]).toEqual([6, 0, 6]);
    expect(line.waiting).toBe(2);
  });

  it('share what comes: the one with least in flight is next', async () => {
    const { enterMany, at, turns } = lineOf({ others: [OTHER] });
    await enterMany(12);
    for (const turn of turns.filter(({ baseUrl }) => baseUrl === HOME).slice(0, 4)) turn.end({ how: 'other' });
    for (const turn of turns.filter(({ baseUrl }) => baseUrl === OTHER).slice(0, 2)) turn.end({ how: 'other' });
    await enterMany(4);
    expect([at(HOME) - 4, at(OTHER) - 2]).toEqual([5, 5]);
  });

  it('are dropped when they fail, and asked again after a rest that grows', async () => {
    const { enterMany, at, turns, clock, isSameServer, line } = lineOf({ others: [OTHER] });
    await enterMany(14);
    expect(at(OTHER)).toBe(6);
    const failing = turns.filter(({ baseUrl }) => baseUrl === OTHER);
    for (const turn of failing) turn.end({ how: 'unserved' });
    await settle();
    expect(at(OTHER)).toBe(6);
    expect(isSameServer).toHaveBeenCalledTimes(1);
    await clock.advance(29_999);
    line.look();
    expect(isSameServer).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    line.look();
    await settle();
    expect(isSameServer).toHaveBeenCalledTimes(2);
    expect(at(OTHER)).toBe(8);
    turns.at(-1)?.end({ how: 'unserved' });
    await clock.advance(30_000);
    void enterMany(7);
    await settle();
    expect(isSameServer).toHaveBeenCalledTimes(2);
    await clock.advance(30_000);
    line.look();
    await settle();
    expect(isSameServer).toHaveBeenCalledTimes(3);
  });

  it('are asked one at a time, and their rest is short again once they served', async () => {
    const asked: ((isSame: boolean) => void)[] = [];
    const { enterMany, turns, clock, line, isSameServer, at } = lineOf({
      others: [OTHER, THIRD],
      same: () => new Promise((resolve) => asked.push(resolve)),
    });
    await enterMany(14);
    expect(isSameServer).toHaveBeenCalledTimes(1);
    asked[0]?.(false);
    await settle();
    expect(isSameServer.mock.calls.map(([baseUrl]) => baseUrl)).toEqual([OTHER, THIRD]);
    await clock.advance(30_000);
    asked[1]?.(true);
    await settle();
    expect(isSameServer).toHaveBeenCalledTimes(3);
    asked[2]?.(true);
    await settle();
    expect([at(HOME), at(OTHER), at(THIRD)]).toEqual([6, 2, 6]);
    const [first, second] = turns.filter(({ baseUrl }) => baseUrl === OTHER);
    first?.end({ how: 'other' });
    second?.end({ how: 'unserved' });
    await enterMany(8);
    await clock.advance(30_000);
    line.look();
    expect(isSameServer).toHaveBeenCalledTimes(4);
  });

  it('open no more once the line is closed', async () => {
    const asked: ((isSame: boolean) => void)[] = [];
    const { enterMany, line, at } = lineOf({
      others: [OTHER],
      same: () => new Promise((resolve) => asked.push(resolve)),
    });
    await enterMany(8);
    line.close();
    asked[0]?.(true);
    await settle();
    expect(at(OTHER)).toBe(0);
  });

  it('take a question that fails, or is never answered, for no', async () => {
    const { enterMany, line, isSameServer } = lineOf({
      others: [OTHER, THIRD],
      same: (baseUrl) => (baseUrl === OTHER ? Promise.reject(new TypeError('Failed to fetch')) : new Promise(() => {})),
    });
    await enterMany(8);
    expect(line.waiting).toBe(2);
    expect(isSameServer).toHaveBeenCalledTimes(2);
    line.close();
    expect(isSameServer.mock.calls[1]?.[1].aborted).toBe(true);
    line.look();
    expect(isSameServer).toHaveBeenCalledTimes(2);
  });

  it('hold six an origin, let every request out once and in order, whatever happens', async () => {
    const step = fc.oneof(
      fc.constant({ do: 'enter' as const }),
      fc.record({ do: fc.constant('leave' as const), pick: fc.nat(100) }),
      fc.record({
        do: fc.constant('end' as const),
        pick: fc.nat(100),
        how: fc.constantFrom('answered' as const, 'refused' as const, 'unserved' as const, 'other' as const),
      }),
      fc.record({ do: fc.constant('pass' as const), byMs: fc.integer({ min: 1, max: 40_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.array(fc.boolean()), async (steps, answers) => {
        const asked = [...answers];
        const { turns, enter, clock, line, limit } = lineOf({
          most: 16,
          others: [OTHER, THIRD],
          same: () => Promise.resolve(asked.shift() ?? true),
          rates: { requestsPerMinute: 600, tokensPerMinute: null },
        });
        const open: (typeof turns)[number][] = [];
        const inLine: { name: number; stop: AbortController }[] = [];
        let names = 0;
        let seen = 0;
        for (const each of steps) {
          if (each.do === 'enter') {
            const stop = new AbortController();
            inLine.push({ name: names, stop });
            enter(names, stop.signal).catch(() => undefined);
            names += 1;
          } else if (each.do === 'leave') {
            const [gone] = inLine.splice(each.pick % Math.max(1, inLine.length), 1);
            gone?.stop.abort();
          } else if (each.do === 'end') {
            const [ended] = open.splice(each.pick % Math.max(1, open.length), 1);
            ended?.end(
              each.how === 'answered' ? { how: each.how, latencyMs: 100, countedTokens: 1 } : { how: each.how },
            );
          } else {
            await clock.advance(each.byMs);
          }
          await settle();
          for (const turn of turns.slice(seen)) {
            expect(turn.name).toBe(inLine.shift()?.name);
            open.push(turn);
          }
          seen = turns.length;
          expect(line.waiting).toBe(inLine.length);
          expect(limit.out).toBe(open.length);
          expect(limit.out).toBeLessThanOrEqual(16);
          for (const baseUrl of [HOME, OTHER, THIRD]) {
            expect(open.filter((turn) => turn.baseUrl === baseUrl).length).toBeLessThanOrEqual(6);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});
