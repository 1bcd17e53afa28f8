import { expect, test } from 'vitest';
import type { ServerKind } from '../../core/capabilities';
import { formatsFor } from '../../i18n/format';
import { doctor as english } from '../../i18n/en/doctor';
import { doctor as chinese } from '../../i18n/zh-CN/doctor';
import { recognisedServer } from './recognised-server';

test.each<[ServerKind, string | null, string]>([
  ['vllm', '0.11.2', 'vLLM 0.11.2'],
  ['llama.cpp', 'b11669', 'llama.cpp b11669'],
  ['ollama', '0.13.1', 'Ollama 0.13.1'],
  ['lm-studio', null, 'LM Studio'],
  ['sglang', null, 'SGLang'],
  ['tgi', '3.0', 'TGI 3.0'],
  ['litellm', null, 'LiteLLM'],
  ['openrouter', null, 'OpenRouter'],
  ['openai', null, 'OpenAI'],
])('%s is called as its makers call it', (server, version, called) => {
  const found = { server, version, slots: null, contextTokens: null };
  expect(recognisedServer(found, english, formatsFor('en'))).toBe(called);
  expect(recognisedServer(found, chinese, formatsFor('zh-CN'))).toBe(called);
});

test('a server of an unknown kind is said to be one', () => {
  const found = { server: 'unknown', version: null, slots: 2, contextTokens: 8_192 } as const;
  const said = 'A server of a kind that is not known here, 2 slots of 8,192 tokens';
  expect(recognisedServer(found, english, formatsFor('en'))).toBe(said);
});
