import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FailureCode } from '../core/failure-codes';
import { ErrorAnswer } from './answer-errors';
import { mapAnswer, mapRefusal, mapStreamError, type ErrorContext } from './map-error';

const context: ErrorContext = {
  baseUrl: 'http://127.0.0.1:8000/v1',
  model: 'hermes',
  key: null,
  nowMs: Date.UTC(2026, 9, 21, 7, 28, 0),
  online: true,
};

function map(status: number, body: unknown, headers: Record<string, string> = {}) {
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body);
  return mapAnswer({ status, headers: new Headers(headers), bodyText }, context);
}

const openai = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });
const flat = (message: string, code = 400) => ({
  object: 'error',
  message,
  type: 'BadRequestError',
  param: null,
  code,
});

describe('overflow', () => {
  it.each([
    ['CTX-01', 'ctx01-llamacpp-400'],
    ['CTX-03', 'ctx03-vllm-old'],
    ['CTX-05', 'ctx05-openai-code'],
    ['CTX-09', 'ctx09-negative-max-tokens'],
  ])('%s', (_, name) => {
    const file = new URL(`../../../tests/cases/overflow/${name}.json`, import.meta.url);
    const { status, body, expected } = JSON.parse(readFileSync(file, 'utf8')) as {
      status: number;
      body: unknown;
      expected: { error_class: string; limit?: number; prompt?: number };
    };
    const failure = map(status, body);
    expect(failure).toMatchObject({ code: expected.error_class, kind: 'context', verdict: 'adapt' });
    expect(failure.details.limitTokens).toBe(expected.limit);
    expect(failure.details.usedTokens).toBe(expected.prompt);
  });

  it.each<[string, number, unknown, FailureCode, number | undefined, number | undefined]>([
    [
      'llama.cpp of 2025-09',
      500,
      {
        error: {
          code: 500,
          message:
            'the request exceeds the available context size. try increasing the context size or enable context shift',
          type: 'server_error',
        },
      },
      'context_overflow',
      undefined,
      undefined,
    ],
    [
      'vLLM, too much asked for',
      400,
      openai(
        "This model's maximum context length is 16384 tokens. However, you requested 16000 output tokens and your prompt contains at least 385 input tokens, for a total of at least 16385 tokens. Please reduce",
      ),
      'max_tokens_too_large',
      385,
      16384,
    ],
    [
      'vLLM, prompt longer than counted',
      400,
      openai(
        "This model's maximum context length is 16384 tokens. However, you requested 1024 output tokens and your prompt contains at least 15361 input tokens, for a total of at least 16385 tokens. (parameter=input_tokens, value=15361)",
        { param: 'input_tokens' },
      ),
      'context_overflow',
      15361,
      16384,
    ],
    [
      'vLLM, prompt alone',
      400,
      openai(
        "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
      ),
      'context_overflow',
      5000,
      4096,
    ],
    [
      'vLLM, max_tokens alone',
      400,
      openai(
        "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 500 input tokens (4000 > 4096 - 500).",
      ),
      'max_tokens_too_large',
      500,
      4096,
    ],
    [
      'vLLM, a fourth wording',
      400,
      openai(
        "You passed 4090 input tokens and requested 200 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3896 tokens. Please reduce the length of the input prompt.",
      ),
      'context_overflow',
      4090,
      4096,
    ],
    [
      'SGLang',
      400,
      flat("The input (9000 tokens) is longer than the model's context length (8192 tokens)."),
      'context_overflow',
      9000,
      8192,
    ],
    [
      'SGLang, total',
      400,
      flat(
        "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 5000 tokens from the input messages and 4000 tokens for the completion.",
      ),
      'max_tokens_too_large',
      5000,
      8192,
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 6000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length',
      },
      'context_overflow',
      undefined,
      4096,
    ],
    [
      'OpenAI, completion share',
      400,
      openai(
        "This model's maximum context length is 4097 tokens. However, you requested 4500 tokens (500 in your prompt; 4000 for the completion).",
        { code: 'context_length_exceeded' },
      ),
      'max_tokens_too_large',
      500,
      4097,
    ],
    [
      'OpenAI, output limit',
      400,
      openai(
        'max_tokens is too large: 100000. This model supports at most 4096 completion tokens, whereas you provided 100000.',
      ),
      'max_tokens_too_large',
      undefined,
      undefined,
    ],
    [
      'TGI',
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
        error_type: 'validation',
      },
      'context_overflow',
      5000,
      4096,
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_error',
      },
      'context_overflow',
      40000,
      32768,
    ],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      },
      'context_overflow',
      208310,
      200000,
    ],
    [
      'Gemini',
      400,
      [
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      'context_overflow',
      1200000,
      1048576,
    ],
    ['Ollama', 400, openai('the input length exceeds the context length'), 'context_overflow', undefined, undefined],
    [
      'Ollama, after dropping the question',
      500,
      openai('no user query found in messages'),
      'context_overflow',
      undefined,
      undefined,
    ],
    [
      'a proxy',
      413,
      '<html><head><title>413 Request Entity Too Large</title></head></html>',
      'context_overflow',
      undefined,
      undefined,
    ],
  ])('%s', (_, status, body, code, used, limit) => {
    const failure = map(status, body);
    expect(failure.code).toBe(code);
    expect(failure.details.usedTokens).toBe(used);
    expect(failure.details.limitTokens).toBe(limit);
  });

  it('is seen inside a stream as well', () => {
    expect(mapStreamError({ error: { message: 'context shift is disabled' } }, context).code).toBe('context_overflow');
  });
});

describe('everything else', () => {
  it.each<[string, number, unknown, FailureCode]>([
    ['vLLM, no key', 401, { error: 'Unauthorized' }, 'auth_failed'],
    [
      'llama.cpp, wrong key',
      401,
      { error: { message: 'Invalid API Key', type: 'authentication_error', code: 401 } },
      'auth_failed',
    ],
    [
      'Gemini, wrong key',
      400,
      [
        {
          error: {
            code: 400,
            message: 'API key not valid.',
            status: 'INVALID_ARGUMENT',
            details: [{ reason: 'API_KEY_INVALID' }],
          },
        },
      ],
      'auth_failed',
    ],
    ['a proxy that wants credentials', 403, '<html><title>403 Forbidden</title></html>', 'auth_failed'],
    [
      'vLLM, model',
      404,
      { error: { message: 'The model `x` does not exist.', type: 'NotFoundError', param: 'model', code: 404 } },
      'model_not_found',
    ],
    [
      'Ollama, model',
      404,
      {
        error: {
          message: 'model "hermes9" not found, try pulling it first',
          type: 'not_found_error',
          param: null,
          code: null,
        },
      },
      'model_not_found',
    ],
    [
      'llama.cpp router, model',
      400,
      { error: { code: 400, message: "model 'nope' not found", type: 'invalid_request_error' } },
      'model_not_found',
    ],
    [
      'LM Studio, nothing loaded',
      404,
      {
        error: {
          message: 'No models loaded. Please load a model in the developer page or use the `lms load` command.',
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      },
      'model_not_found',
    ],
    [
      'llama.cpp, path',
      404,
      { error: { message: 'File Not Found', type: 'not_found_error', code: 404 } },
      'wrong_base_url',
    ],
    ['FastAPI, path', 404, { detail: 'Not Found' }, 'wrong_base_url'],
    ['Ollama, path', 404, '404 page not found', 'wrong_base_url'],
    ['a page server', 405, '<html><title>405 Not Allowed</title></html>', 'wrong_base_url'],
    ['LM Studio, path', 200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }, 'wrong_base_url'],
    ['rate limit', 429, openai('Rate limit reached for requests'), 'rate_limited'],
    ['OpenAI, slow down', 429, openai('Slow down', { code: 'slow_down' }), 'rate_limited'],
    ['a proxy limits', 429, '<html><title>429 Too Many Requests</title></html>', 'rate_limited'],
    [
      'OpenAI, no credit',
      429,
      openai('You exceeded your current quota, please check your plan and billing details.', {
        code: 'insufficient_quota',
      }),
      'quota_exhausted',
    ],
    ['OpenRouter, no credit', 402, openai('Insufficient credits'), 'quota_exhausted'],
    ['DeepSeek, no credit', 402, openai('Insufficient Balance'), 'quota_exhausted'],
    [
      'Gemini, quota that comes back',
      429,
      openai('You exceeded your current quota, please check your plan and billing details. Please retry in 33.5s.'),
      'rate_limited',
    ],
    [
      'llama.cpp, loading',
      503,
      { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
      'endpoint_loading',
    ],
    ['llama.cpp of old, loading', 503, { status: 'loading model' }, 'endpoint_loading'],
    ['Ollama, loading', 500, openai('llm server loading model'), 'endpoint_loading'],
    [
      'TGI, loading',
      503,
      { error: 'Model NousResearch/Hermes is currently loading', estimated_time: 42 },
      'endpoint_loading',
    ],
    [
      'LM Studio, load failed',
      500,
      { error: 'Failed to load model "hermes". Error: insufficient memory' },
      'server_fault',
    ],
    ['Ollama, full', 503, openai('server busy, please try again.  maximum pending requests exceeded'), 'server_busy'],
    ['OpenAI, overloaded', 503, openai('Overloaded', { code: 'server_is_overloaded' }), 'server_busy'],
    [
      'Anthropic, overloaded',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'server_busy',
    ],
    ['a proxy, unavailable', 503, '<html><h1>503 Service Temporarily Unavailable</h1></html>', 'server_busy'],
    [
      'vLLM, fault',
      500,
      { error: { message: 'EngineCore encountered an issue', type: 'InternalServerError', code: 500 } },
      'server_fault',
    ],
    ['plain text', 500, 'Internal Server Error', 'server_fault'],
    ['gateway', 504, '<html><title>504 Gateway Time-out</title></html>', 'server_fault'],
    ['nothing at all', 500, '', 'server_fault'],
    ['captive portal', 511, '<html><title>Login</title></html>', 'login_page'],
    [
      'Azure filter',
      400,
      {
        error: {
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          code: 'content_filter',
          status: 400,
        },
      },
      'content_refused',
    ],
    [
      'DashScope filter',
      400,
      openai('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
      'content_refused',
    ],
    ['an invalid request', 400, openai("'messages' is a required property"), 'request_rejected'],
    [
      'FastAPI validation',
      422,
      { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
      'request_rejected',
    ],
    ['a grammar', 400, openai('error parsing grammar'), 'request_rejected'],
  ])('%s', (_, status, body, code) => {
    expect(map(status, body).code).toBe(code);
  });

  it('reads flat bodies, strings and lists of errors, whatever their form', () => {
    expect(map(400, flat('flat and clear')).message).toBe('flat and clear');
    expect(map(401, { error: 'Unauthorized' }).message).toBe('Unauthorized');
    expect(map(422, { detail: [{ msg: 'Field required' }] }).message).toBe('Field required');
    expect(map(500, '"just a string"').message).toBe('just a string');
    expect(map(500, '').message).toBe('HTTP status 500, no text');
    expect(map(500, '{"error":').message).toBe('{"error":');
  });

  it('never shows markup, and clips what is long', () => {
    expect(map(502, '<html><body><script>x()</script><p>Bad &amp; <b>ugly</b></p></body></html>').message).toBe(
      'Bad & ugly',
    );
    expect(map(502, { error: { message: '<html><title>502 Bad Gateway</title></html>' } }).message).toBe(
      '502 Bad Gateway',
    );
    expect(map(400, openai('x'.repeat(5_000))).message).toHaveLength(300);
  });

  it('offers /v1 only where it is missing', () => {
    const at = (baseUrl: string) =>
      mapAnswer({ status: 404, headers: null, bodyText: '' }, { ...context, baseUrl }).details.suggestion;
    expect(at('http://h:1/api')).toBe('http://h:1/api/v1');
    expect(at('http://h:1/v1')).toBeUndefined();
    expect(at('http://h:1/v1beta')).toBeUndefined();
  });

  it('names endpoint, model and status for people', () => {
    expect(map(500, '').details).toEqual({ url: context.baseUrl, model: 'hermes', status: 500 });
  });
});

describe('how long to wait', () => {
  const wait = (headers: Record<string, string>, message = 'rate limited') =>
    map(429, openai(message), headers).retryAfterMs;

  it.each<[string, Record<string, string>, string | undefined, number | undefined]>([
    ['seconds', { 'retry-after': '2' }, undefined, 2_000],
    ['a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:03 GMT' }, undefined, 3_000],
    ['milliseconds', { 'retry-after-ms': '350', 'retry-after': '1' }, undefined, 350],
    ['zero', { 'retry-after': '0' }, undefined, undefined],
    ['less than zero', { 'retry-after': '-5' }, undefined, undefined],
    ['a date gone by', { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, undefined, undefined],
    ['nonsense', { 'retry-after': 'soon' }, undefined, undefined],
    ['zero, but words', { 'retry-after': '0' }, 'Please try again in 5s.', 5_000],
    ['words', {}, 'Rate limit reached. Please try again in 1m30.5s. Visit', 90_500],
    ['milliseconds in words', {}, 'Please try again in 350ms.', 350],
    ['whole words', {}, 'Retry in 185 seconds', 185_000],
    ['after', {}, 'Too many requests, retry after 20 seconds', 20_000],
    ['no words', {}, 'Try again later', undefined],
  ])('%s', (_, headers, message, expected) => {
    expect(wait(headers, message)).toBe(expected);
  });

  it('is read from the fields of a body', () => {
    expect(map(429, { error: { message: 'slow', retry_after: 7 } }).retryAfterMs).toBe(7_000);
    expect(map(503, { error: 'Model x is currently loading', estimated_time: 42 }).retryAfterMs).toBe(42_000);
    expect(map(429, [{ error: { code: 429, message: 'slow', details: [{ retryDelay: '33s' }] } }]).retryAfterMs).toBe(
      33_000,
    );
  });

  it('is told to people for a rate limit, and is not kept for other failures', () => {
    expect(map(429, openai('x'), { 'retry-after': '2' }).details.waitMs).toBe(2_000);
    expect(map(500, openai('try again in 5s'), { 'retry-after': '2' }).retryAfterMs).toBeUndefined();
  });
});

describe('answers made to hold us up', () => {
  const long = 300_000;
  it.each([
    ['white space after a word for waiting', `wait${' '.repeat(long)}x`],
    ['words for waiting', 'wait '.repeat(long / 5)],
    ['digits', `retry in ${'9'.repeat(long)}`],
  ])('%s are read in no time', (_, text) => {
    const startedMs = performance.now();
    map(500, text);
    map(400, { error: { message: text, type: text, code: text } });
    mapStreamError({ error: { message: text } }, context);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });
});

describe('the key', () => {
  it('is removed whatever its form, from message and details', () => {
    const key = 'pa$$ wörd/+'.replace(/[^\x21-\x7e]/g, '');
    const leaky = { ...context, key, baseUrl: `http://h/${encodeURIComponent(key)}/v1`, model: `m-${key}` };
    const body = JSON.stringify({ error: { message: `bad ${key}, Bearer abcdef, sk-proj-abcdefgh` } });
    const failure = mapRefusal(new ErrorAnswer(400, new Headers(), body), leaky);
    const text = JSON.stringify(failure);
    for (const secret of [key, encodeURIComponent(key), 'abcdef', 'sk-proj']) expect(text).not.toContain(secret);
  });

  it('is removed also where a long message is cut in the middle of it', () => {
    const key = 'FIRST-HALF-OF-IT/second-half-of-it';
    for (const before of Array.from({ length: 40 }, (_, index) => 'x'.repeat(270 + index))) {
      const message = `${before} ${key} is not known`;
      const failures = [
        mapAnswer({ status: 401, headers: null, bodyText: message }, { ...context, key }),
        mapAnswer(
          { status: 401, headers: null, bodyText: JSON.stringify({ error: { message } }) },
          { ...context, key },
        ),
        mapAnswer({ status: 401, headers: null, bodyText: `<html>${message}` }, { ...context, key }),
        mapStreamError({ error: { message } }, { ...context, key }),
        mapStreamError(message, { ...context, key }),
      ];
      for (const failure of failures) expect(failure.message).not.toContain('FIRST');
    }
  });
});
