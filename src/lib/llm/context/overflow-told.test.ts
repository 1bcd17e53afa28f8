import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readErrorBody } from '../error-body';
import { overflowTold, type OverflowTold } from './overflow-told';

const told = (status: number, body: unknown) =>
  overflowTold(readErrorBody(typeof body === 'string' ? body : JSON.stringify(body)), status);
const says = (message: string) => ({ error: { message, type: 'invalid_request_error' } });

describe('recorded overflows', () => {
  it.each<[string, string, OverflowTold]>([
    ['CTX-01', 'ctx01-llamacpp-400', { kind: 'prompt', used: 4390, limit: 4096 }],
    ['CTX-03', 'ctx03-vllm-old', { kind: 'output', used: 568, limit: 6048 }],
    ['CTX-01', 'ctx05-openai-code', { kind: 'prompt', used: 6988, limit: 4097 }],
    ['CTX-09', 'ctx09-negative-max-tokens', { kind: 'prompt', used: null, limit: null }],
  ])('%s: %s', (_, name, expected) => {
    const file = new URL(`../../../../tests/cases/overflow/${name}.json`, import.meta.url);
    const { status, body } = JSON.parse(readFileSync(file, 'utf8')) as { status: number; body: unknown };
    expect(told(status, body)).toEqual(expected);
  });
});

describe('overflows of other servers', () => {
  it.each<[string, string, OverflowTold]>([
    [
      'llama-server seen here',
      'request (2021 tokens) exceeds the available context size (1024 tokens), try increasing it',
      { kind: 'prompt', used: 2021, limit: 1024 },
    ],
    [
      'llama.cpp for Python',
      'Requested tokens (5000) exceed context window of 4096',
      { kind: 'prompt', used: 5000, limit: 4096 },
    ],
    [
      'xAI',
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      { kind: 'prompt', used: 537812, limit: 131072 },
    ],
    ['Groq', 'Please reduce the length of the messages or completion.', { kind: 'prompt', used: null, limit: null }],
    [
      'Cerebras',
      'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      { kind: 'prompt', used: 9000, limit: 8192 },
    ],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (120000 of text input, 80000 in the output).",
      { kind: 'output', used: 120000, limit: 131072 },
    ],
    [
      'OpenRouter, prompt alone',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 250000 tokens.",
      { kind: 'prompt', used: 250000, limit: 131072 },
    ],
    [
      'OpenRouter, Poolside',
      'Input length 300000 exceeds the maximum allowed input length of 262144 tokens.',
      { kind: 'prompt', used: 300000, limit: 262144 },
    ],
    [
      'Copilot',
      'prompt token count of 130,000 exceeds the limit of 128,000',
      { kind: 'prompt', used: 130000, limit: 128000 },
    ],
    ['MiniMax', 'invalid params, context window exceeds limit', { kind: 'prompt', used: null, limit: null }],
    [
      'Kimi',
      'Your request exceeded model token limit: 262144 (requested: 300000)',
      { kind: 'prompt', used: 300000, limit: 262144 },
    ],
    ['z.ai', 'model_context_window_exceeded', { kind: 'prompt', used: null, limit: null }],
    [
      'DS4',
      'Prompt has 70000 tokens, but the configured context size is 65536 tokens',
      { kind: 'prompt', used: 70000, limit: 65536 },
    ],
    [
      'RKLLM',
      'Prompt is 11543 tokens but the model context window is 4096 tokens.',
      { kind: 'prompt', used: 11543, limit: 4096 },
    ],
    [
      'oMLX',
      'Prompt too long: 51587 tokens exceeds max context window of 32768 tokens',
      { kind: 'prompt', used: 51587, limit: 32768 },
    ],
    [
      'Ollama cloud',
      'prompt too long; exceeded max context length by 5000 tokens',
      { kind: 'prompt', used: null, limit: null },
    ],
    ['DashScope, prompt', 'Range of input length should be [1, 129024]', { kind: 'prompt', used: null, limit: 129024 }],
    ['DashScope, answer', 'Range of max_tokens should be [1, 8192]', { kind: 'output', used: null, limit: null }],
    [
      'OpenAI, newer',
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.',
      { kind: 'prompt', used: 300000, limit: 272000 },
    ],
    [
      'Anthropic, with the answer',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      { kind: 'output', used: 188240, limit: 200000 },
    ],
    [
      'Anthropic, no room for an answer',
      'input length and `max_tokens` exceed context limit: 199990 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      { kind: 'prompt', used: 199990, limit: 200000 },
    ],
  ])('%s', (_, message, expected) => {
    expect(told(400, says(message))).toEqual(expected);
  });

  it('is none where a rate, a key or another limit is meant', () => {
    expect(told(429, says('Request too large: limit of 30000 tokens per minute, maximum context length'))).toBeNull();
    expect(told(401, says('maximum context length'))).toBeNull();
    for (const message of [
      'The request exceeds the limit of 60 requests',
      'Daily token limit exceeded for this account',
      'The image exceeds the maximum size of 5 MB',
      'The context of this conversation is unclear',
      'stop must have at most 4 sequences',
    ]) {
      expect([message, told(400, says(message))]).toEqual([message, null]);
    }
  });
});
