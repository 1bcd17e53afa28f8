import { describe, expect, it } from 'vitest';
import { bodyFieldProblem, headerProblem } from './reserved-request';

describe('headerProblem', () => {
  it.each([
    ['X-Api-Version', '2026-01-01', null],
    ['HTTP-Referer', 'https://example.org', null],
    ['X-Title', 'Talaria at home', null],
    ['api-key', 'abc', null],
    ['', 'abc', 'name_invalid'],
    ['two words', 'abc', 'name_invalid'],
    ['X-名', 'abc', 'name_invalid'],
    ['X-Colon:', 'abc', 'name_invalid'],
    ['X-Title', '', 'value_invalid'],
    ['X-Title', 'one\r\nAuthorization: Bearer x', 'value_invalid'],
    ['X-Title', '家', 'value_invalid'],
    ['Authorization', 'Bearer x', 'key_belongs_elsewhere'],
    ['aUTHORIZATION', 'Bearer x', 'key_belongs_elsewhere'],
    ['Content-Type', 'text/plain', 'set_by_talaria'],
    ['X-Conversation-Id', 'abc', 'set_by_talaria'],
    ['X-Stainless-Lang', 'js', 'set_by_talaria'],
    ['Host', 'example.org', 'set_by_browser'],
    ['Cookie', 'a=b', 'set_by_browser'],
    ['Sec-Fetch-Mode', 'cors', 'set_by_browser'],
    ['Proxy-Authorization', 'Basic x', 'set_by_browser'],
  ])('%j: %j is %s', (name, value, problem) => {
    expect(headerProblem(name, value)).toBe(problem);
  });

  it('lets nothing through that fetch would drop or refuse', () => {
    for (const [name, value] of [
      ['X-Title', 'plain'],
      ['api-key', 'a b\tc'],
    ] as const) {
      expect(headerProblem(name, value)).toBeNull();
      expect(new Request('http://127.0.0.1', { headers: { [name]: value } }).headers.get(name)).toBe(value);
    }
  });
});

describe('bodyFieldProblem', () => {
  it.each([
    ['top_k', 40, null],
    ['chat_template_kwargs', { enable_thinking: false }, null],
    ['provider', { order: ['a'], allow_fallbacks: false }, null],
    ['model', 'other', 'set_by_talaria'],
    ['messages', [], 'set_by_talaria'],
    ['stream', false, 'set_by_talaria'],
    ['max_tokens', 5, 'set_by_talaria'],
    ['n', 2, 'set_by_talaria'],
    ['temperature', 1, 'set_above'],
    ['seed', 1, 'set_above'],
    ['top_k', Infinity, 'not_finite'],
    ['options', { list: [1, -Infinity] }, 'not_finite'],
  ])('%s: %j is %s', (name, value, problem) => {
    expect(bodyFieldProblem(name, value)).toBe(problem);
  });
});
