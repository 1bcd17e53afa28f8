import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recentHistory, type HistoryMessage } from './recent-history';

const file = new URL('../../../../tests/cases/overflow/ctx11-history-tool-groups.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as { messages: HistoryMessage[] };

/** What servers demand of calls and results; throws where they would refuse. */
function expectAcceptable(messages: readonly HistoryMessage[]): void {
  let open = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      expect(open.delete(tool_call_id ?? '')).toBe(true);
      continue;
    }
    expect(open.size).toBe(0);
    open = new Set((tool_calls ?? []).map(({ id }) => id));
  }
  expect(open.size).toBe(0);
}

const user: HistoryMessage = { role: 'user' };
const call = (...ids: string[]): HistoryMessage => ({ role: 'assistant', tool_calls: ids.map((id) => ({ id })) });
const result = (id: string): HistoryMessage => ({ role: 'tool', tool_call_id: id });

describe('recentHistory', () => {
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('CTX-11: keeps groups whole, last %d', (keepRecent) => {
    const { messages } = recorded;
    const kept = recentHistory(messages, keepRecent);
    expectAcceptable(kept);
    expect(kept[0]).toBe(messages[0]);
    expect(kept.filter(({ role }) => role === 'system')).toHaveLength(1);
    const tail = kept.slice(1);
    expect(tail.length).toBeGreaterThanOrEqual(Math.min(keepRecent, messages.length - 1));
    expect(tail).toEqual(messages.slice(messages.length - tail.length));
  });

  it('is the whole history where that is short', () => {
    const short = [{ role: 'system' } as const, user, call('a', 'b'), result('b'), result('a')];
    expect(recentHistory(short, 100)).toEqual(short);
    expect(recentHistory([{ role: 'system' }], 3)).toEqual([{ role: 'system' }]);
    expect(recentHistory([], 3)).toEqual([]);
  });

  it.each<[string, HistoryMessage[], HistoryMessage[]]>([
    ['a result that nobody asked for', [user, result('x'), user], [user, user]],
    ['a call without its result', [user, call('a', 'b'), result('a'), user], [user, user]],
    ['a result given twice', [call('a'), result('a'), result('a')], [call('a'), result('a')]],
    ['a result that comes too late', [call('a'), user, result('a')], [user]],
  ])('leaves out %s', (_, messages, kept) => {
    expect(recentHistory(messages, 10)).toEqual(kept);
  });

  it('is acceptable, in order, and a part of what was given, whatever that was', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const message: fc.Arbitrary<HistoryMessage> = fc.oneof(
      fc.record({ role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const) }),
      fc.record({
        role: fc.constant('assistant' as const),
        tool_calls: fc.uniqueArray(fc.record({ id }), { selector: (each) => each.id }),
      }),
      fc.record({ role: fc.constant('tool' as const), tool_call_id: fc.option(id) }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), fc.integer({ min: 0, max: 45 }), (messages, keepRecent) => {
        const kept = recentHistory(messages, keepRecent);
        expectAcceptable(kept);
        const places = kept.map((each) => messages.indexOf(each));
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        expect(recentHistory(kept, messages.length)).toEqual(kept);
      }),
    );
  });
});
