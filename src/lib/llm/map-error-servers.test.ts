import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { askOnce, modelAt, realClock } from '../../../tests/support/model-fixtures';
import type { FailureCode } from '../core/failure-codes';
import { mapAnswer, mapBreak, mapRefusal, mapStreamError, type ErrorContext } from './map-error';

const CASES = new URL('../../../tests/cases/refusals/', import.meta.url);

interface Recorded {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The body came as an event of a stream that began well. */
  readonly inStream?: true;
  readonly code: FailureCode;
  readonly usedTokens?: number;
  readonly limitTokens?: number;
  readonly retryAfterMs?: number;
}

interface RecordedServer {
  readonly server: string;
  readonly versions: readonly { readonly version: string; readonly answers: readonly Recorded[] }[];
}

const SERVERS = readdirSync(CASES).map(
  (file) => JSON.parse(readFileSync(new URL(file, CASES), 'utf8')) as RecordedServer,
);
const ROWS = SERVERS.flatMap(({ server, versions }) =>
  versions.flatMap(({ version, answers }) =>
    answers.map((answer) => [`${server}, ${version}: ${answer.name}`, answer] as const),
  ),
);

const NOW_MS = Date.UTC(2026, 9, 21, 7, 28, 0);
const context: ErrorContext = {
  baseUrl: 'http://127.0.0.1:8000/v1',
  model: 'hermes',
  key: null,
  nowMs: NOW_MS,
  online: true,
};

const textOf = ({ body }: Recorded) => (typeof body === 'string' ? body : JSON.stringify(body));

function seen({ code, details, retryAfterMs }: ReturnType<typeof mapAnswer>) {
  return { code, usedTokens: details.usedTokens, limitTokens: details.limitTokens, retryAfterMs };
}

function expected({ code, usedTokens, limitTokens, retryAfterMs }: Recorded) {
  return { code, usedTokens, limitTokens, retryAfterMs };
}

describe('what servers answer instead', () => {
  it('is recorded of each of them', () => {
    expect(SERVERS.map(({ server }) => server).sort()).toEqual(
      [
        'LM Studio',
        'LiteLLM',
        'Ollama',
        'OpenAI',
        'OpenRouter',
        'SGLang',
        'TGI',
        'llama.cpp',
        'proxies',
        'vLLM',
      ].sort(),
    );
  });

  it.each(ROWS)('%s', (_, answer) => {
    const failure =
      answer.inStream === true
        ? mapStreamError(answer.body, context)
        : mapAnswer({ status: answer.status, headers: new Headers(answer.headers), bodyText: textOf(answer) }, context);
    expect(seen(failure)).toEqual(expected(answer));
    expect(failure.message).not.toMatch(/<[a-z/!]/i);
  });
});

describe('a refusal that went through the library keeps its body', () => {
  const model = (answer: Recorded) =>
    modelAt(
      { url: context.baseUrl },
      {
        clock: { ...realClock, now: () => NOW_MS },
        fetch: () => {
          const text = textOf(answer);
          const sent = answer.inStream === true ? `data: ${text}\n\ndata: [DONE]\n\n` : text;
          const type = answer.inStream === true ? { 'content-type': 'text/event-stream' } : answer.headers;
          return Promise.resolve(new Response(sent, { status: answer.status, headers: type }));
        },
      },
    );

  it.each(ROWS)('%s', async (_, answer) => {
    const { result } = await askOnce(model(answer), 'q');
    if (result.ok) throw new Error('taken for an answer');
    expect(seen(result.failure)).toEqual(expected(answer));
    if (answer.body !== '') expect(result.failure.message).not.toMatch(/no body|no text/);
  });
});

describe('networks as browsers word them', () => {
  it.each(['Failed to fetch', 'network error', 'Load failed', 'NetworkError when attempting to fetch resource.'])(
    '%s',
    (message) => {
      const raised = new TypeError(message);
      expect(mapRefusal(raised, context).code).toBe('endpoint_unreachable');
      expect(mapBreak(raised, context).code).toBe('stream_cut');
      const remote = { ...context, baseUrl: 'https://models.test/v1', online: false };
      expect(mapRefusal(raised, remote).code).toBe('network_offline');
    },
  );
});
