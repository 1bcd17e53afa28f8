import { expect, it } from 'vitest';
import { checkedSettings } from './checked-settings';
import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from './endpoint-settings';

const SET: EndpointSettings = {
  contextTokens: 16_384,
  concurrency: 8,
  requestsPerMinute: 60,
  tokensPerMinute: 90_000,
  moreUrls: ['http://127.0.0.1:8001/v1'],
  headers: { 'X-Title': 'Talaria' },
  body: { top_k: 40, chat_template_kwargs: { enable_thinking: false } },
  sampling: { temperature: 0.7, topP: 0.9, seed: 7 },
  tools: 'hermes',
};

it('keeps what is in order', () => {
  expect(checkedSettings(SET)).toEqual(SET);
  expect(checkedSettings(DEFAULT_ENDPOINT_SETTINGS)).toEqual(DEFAULT_ENDPOINT_SETTINGS);
});

it.each([undefined, null, 3, 'text', [], { contextTokens: {} }, { headers: [], body: 'x', sampling: null }])(
  'takes %j for nothing set',
  (damaged) => expect(checkedSettings(damaged)).toEqual(DEFAULT_ENDPOINT_SETTINGS),
);

it('gives up a damaged field alone, and what may not be set', () => {
  expect(
    checkedSettings({
      ...SET,
      contextTokens: '16384',
      concurrency: 1_000,
      requestsPerMinute: -1,
      tokensPerMinute: NaN,
      moreUrls: ['127.0.0.1:8001', 'http://', 7, 'http://127.0.0.1:8001/v1/'],
      headers: { 'X-Title': 'Talaria', 'x-title': 'twice', Authorization: 'Bearer x', 'X-Count': 3 },
      body: { top_k: 40, messages: [], stop: undefined, when: () => 1 },
      sampling: { temperature: 3, topP: 0.9, seed: 1.5 },
      tools: 'always',
    }),
  ).toEqual({
    ...DEFAULT_ENDPOINT_SETTINGS,
    moreUrls: ['http://127.0.0.1:8001/v1'],
    headers: { 'X-Title': 'Talaria' },
    body: { top_k: 40 },
    sampling: { temperature: null, topP: 0.9, seed: null },
  });
});
