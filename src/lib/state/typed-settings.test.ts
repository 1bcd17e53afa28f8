import { describe, expect, it } from 'vitest';
import { checkedSettings } from '../core/checked-settings';
import { DEFAULT_ENDPOINT_SETTINGS, SETTING_BOUNDS, type EndpointSettings } from '../core/endpoint-settings';
import { readSettings, typedSettings, type TypedSettings } from './typed-settings';

const SET: EndpointSettings = {
  contextTokens: 16_384,
  concurrency: 8,
  requestsPerMinute: 60,
  tokensPerMinute: 90_000,
  moreUrls: ['http://127.0.0.1:8001/v1', 'http://127.0.0.1:8002/v1'],
  headers: { 'X-Title': 'Talaria: at home', 'HTTP-Referer': 'https://example.org' },
  body: { top_k: 40, chat_template_kwargs: { enable_thinking: false } },
  sampling: { temperature: 0.7, topP: 0.9, seed: 7 },
  tools: 'hermes',
};
const read = (typed: Partial<TypedSettings>) => readSettings({ ...typedSettings(), ...typed });

it('shows settings so that the same are read again, which are what the worker takes', () => {
  for (const settings of [SET, DEFAULT_ENDPOINT_SETTINGS]) {
    expect(readSettings(typedSettings(settings))).toEqual({ settings, problems: {}, repairedUrls: [] });
    expect(checkedSettings(settings)).toEqual(settings);
  }
});

describe('numbers', () => {
  it.each([
    [' 16384 ', 16_384],
    ['16,384', 16_384],
    ['16 384', 16_384],
    ['１６３８４', 16_384],
    ['', null],
  ])('%j is %s tokens', (contextTokens, tokens) => {
    expect(read({ contextTokens })).toMatchObject({ settings: { contextTokens: tokens }, problems: {} });
  });

  it.each(['0', '511', '1.5', '16k', '-4096', '16,38', '1e5'])('%j is no number of tokens', (contextTokens) => {
    const { settings, problems } = read({ contextTokens });
    expect(settings.contextTokens).toBeNull();
    expect(problems).toEqual({ contextTokens: { what: 'number', bounds: SETTING_BOUNDS.contextTokens } });
  });

  it('tells of each field by itself', () => {
    const { settings, problems } = read({ temperature: '0,7', topP: '1.1', seed: '7', concurrency: '65' });
    expect(settings).toMatchObject({ sampling: { temperature: 0.7, topP: null, seed: 7 }, concurrency: 'auto' });
    expect(Object.keys(problems)).toEqual(['concurrency', 'topP']);
  });
});

describe('addresses', () => {
  it('are repaired, and the repair is told', () => {
    expect(read({ moreUrls: '\n127.0.0.1:8001\nhttp://127.0.0.1:8002/v1,\n127.0.0.1:8001/v1' })).toMatchObject({
      settings: { moreUrls: ['http://127.0.0.1:8001/v1', 'http://127.0.0.1:8002/v1'] },
      repairedUrls: ['http://127.0.0.1:8001/v1', 'http://127.0.0.1:8001/v1'],
      problems: {},
    });
  });

  it('are named by their line where they are none, without what may be a secret', () => {
    expect(read({ moreUrls: 'http://a:1/v1\nhttp://user:sk-secret@b:1/v1' }).problems).toEqual({
      moreUrls: { what: 'url', line: 2, typed: 'http://b:1/v1' },
    });
  });
});

describe('headers', () => {
  it.each([
    ['no colon here', 1, '', 'no_colon'],
    ['X-A: 1\n\nx-a: 2', 3, 'x-a', 'twice'],
    ['X-A: 1\nAuthorization: Bearer sk-1', 2, 'Authorization', 'key_belongs_elsewhere'],
    ['Cookie: a=b', 1, 'Cookie', 'set_by_browser'],
    ['Content-Type: text/plain', 1, 'Content-Type', 'set_by_talaria'],
    ['X A: 1', 1, 'X A', 'name_invalid'],
    ['X-A:', 1, 'X-A', 'value_invalid'],
  ] as const)('%j: line %i', (headers, line, name, why) => {
    expect(read({ headers }).problems).toEqual({ headers: { what: 'header', line, name, why } });
  });

  it('keep what is in order beside one that is not, and take a colon as it comes from a Chinese keyboard', () => {
    expect(read({ headers: 'X-A：1\nHost: b\nX-B: 2' }).settings.headers).toEqual({ 'X-A': '1', 'X-B': '2' });
  });
});

describe('fields of the body', () => {
  it.each([
    ['{"top_k": 40,}', { what: 'json', line: 1, column: 14, found: '}' }],
    ['{\n  "top_k": 40', { what: 'json', line: 2, column: 14, found: '' }],
    ['[1]', { what: 'not_object' }],
    ['{"top_k": 40, "model": "x"}', { what: 'field', name: 'model', why: 'set_by_talaria' }],
    ['{"temperature": 1}', { what: 'field', name: 'temperature', why: 'set_above' }],
    ['{"top_k": 1e999}', { what: 'field', name: 'top_k', why: 'not_finite' }],
  ])('%j is told where it is wrong', (body, problem) => {
    expect(read({ body }).problems).toEqual({ body: problem });
  });
});
