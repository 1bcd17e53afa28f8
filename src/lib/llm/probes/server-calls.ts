import * as v from 'valibot';
import type { ModelMessage } from '../../core/model';
import { isSendableKey } from '../key-form';
import { readText } from '../read-text';
import { withLimit } from '../time-limit';
import { probeBody } from './probe-body';
import type { ProbeContext } from './probe-context';

const MAX_BYTES = 1024 * 1024;

/** Sends one request as those of a task are sent: nothing but the request, nothing followed, nothing kept. */
export function send(
  context: ProbeContext,
  url: string,
  body: object | null,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { key } = context.errors;
  return context.fetch(url, {
    method: body === null ? 'GET' : 'POST',
    headers: {
      ...context.settings.headers,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(key !== null && isSendableKey(key) ? { authorization: `Bearer ${key}` } : {}),
      ...headers,
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
    credentials: 'omit',
    redirect: 'manual',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal,
  });
}

export interface JsonAnswer {
  /** 0: no answer that could be read. */
  readonly status: number;
  /** Null when the body is no JSON. */
  readonly value: unknown;
}

/** Asks for JSON within a limit. Whatever goes wrong is an answer too; it rejects for nothing but an abort. */
export async function askJson(
  context: ProbeContext,
  url: string,
  body: object | null,
  limitMs: number,
): Promise<JsonAnswer> {
  try {
    const asked = await withLimit(context.clock, limitMs, context.signal, async (limited) => {
      const response = await send(context, url, body, limited);
      return { status: response.status, value: parsed(await readText(response, MAX_BYTES)) };
    });
    return asked.ok ? asked.value : { status: 0, value: null };
  } catch (error) {
    if (context.signal.aborted) throw error;
    return { status: 0, value: null };
  }
}

/** The JSON of an answer that is one of success, else null. */
export async function readJson(
  context: ProbeContext,
  url: string,
  body: object | null,
  limitMs: number,
): Promise<unknown> {
  const { status, value } = await askJson(context, url, body, limitMs);
  return status >= 200 && status < 300 ? value : null;
}

const text = v.fallback(v.nullish(v.string()), null);
const Whole = v.object({
  choices: v.tupleWithRest(
    [
      v.object({
        message: v.object({ content: text, tool_calls: v.fallback(v.nullish(v.array(v.unknown())), null) }),
        finish_reason: text,
      }),
    ],
    v.unknown(),
  ),
});

interface SmallQuestion extends Readonly<Record<string, unknown>> {
  readonly messages: readonly ModelMessage[];
  readonly maxTokens: number;
}

export interface SmallAnswer {
  readonly text: string;
  readonly calls: number;
  readonly isCut: boolean;
}

/**
 * A question of a few tokens, not streamed. `refused`: the server did not like the request itself. Null: nothing can be
 * concluded.
 */
export async function askSmall(
  context: ProbeContext,
  { messages, maxTokens, ...fields }: SmallQuestion,
  limitMs: number,
): Promise<SmallAnswer | 'refused' | null> {
  const url = `${context.errors.baseUrl}/chat/completions`;
  const body = { ...probeBody(context, messages, maxTokens), stream: false, ...fields };
  const { status, value } = await askJson(context, url, body, limitMs);
  if (status === 400 || status === 404 || status === 422 || status === 500 || status === 501) return 'refused';
  const read = v.safeParse(Whole, value);
  if (status < 200 || status >= 300 || !read.success) return null;
  const [{ message, finish_reason }] = read.output.choices;
  return { text: message.content ?? '', calls: message.tool_calls?.length ?? 0, isCut: finish_reason === 'length' };
}

function parsed(bodyText: string): unknown {
  try {
    return JSON.parse(bodyText) as unknown;
  } catch {
    return null;
  }
}
