import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { JsonValue } from '../core/json-value';
import { ErrorAnswer, RedirectAnswer } from './answer-errors';
import { addressSpace, pageUrl } from './local-network';
import { readText } from './read-text';
import type { ResponseFormat } from './structured/schema-dialect';
import type { nativeTools } from './tools/hermes-prompt';
import type { NativeMessage } from './tools/history';

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly NativeMessage[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly seed?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream_options?: { readonly include_usage: true };
  /** llama.cpp: chunks that tell how far the prompt has been read. */
  readonly return_progress?: true;
  /** Fields of the person's own; one of the above goes before one of the same name. */
  readonly extra?: Readonly<Record<string, JsonValue>>;
  /** @default true */
  readonly stream?: false;
  readonly response_format?: ResponseFormat;
  readonly tools?: ReturnType<typeof nativeTools>;
  readonly stop?: readonly string[];
  /** Go on with the last message, which is the assistant's. */
  readonly continue_final_message?: true;
  readonly add_generation_prompt?: false;
}

/** The same question as bare text. */
export type TextBody = Omit<ChatBody, 'messages' | 'stream' | 'tools' | 'response_format'> & {
  readonly prompt: string;
  readonly stop: readonly string[];
};

/**
 * One endpoint's requests. All resolve to a 2xx response whose body is not read yet, and reject with `ErrorAnswer`,
 * `RedirectAnswer`, what `fetch` raised, or an `AbortError`. Never repeated, never timed: that is the caller's.
 */
export interface EndpointClient {
  chat(body: ChatBody, signal: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<Response>;
  completions(body: TextBody, signal: AbortSignal): Promise<Response>;
  /** Any other address below the base URL. */
  call(method: 'get' | 'post' | 'delete', path: string, signal: AbortSignal, body?: object): Promise<Response>;
  models(signal: AbortSignal): Promise<Response>;
}

/**
 * Headers the library adds that a server would have to allow one by one in its preflight. Many do not, and the browser
 * then says no more than "Failed to fetch".
 */
const NOT_SENT = {
  'User-Agent': null,
  'OpenAI-Organization': null,
  'OpenAI-Project': null,
  'X-Stainless-Arch': null,
  'X-Stainless-Custom-Poll-Interval': null,
  'X-Stainless-Helper-Method': null,
  'X-Stainless-Lang': null,
  'X-Stainless-OS': null,
  'X-Stainless-Package-Version': null,
  'X-Stainless-Poll-Helper': null,
  'X-Stainless-Retry-Count': null,
  'X-Stainless-Runtime': null,
  'X-Stainless-Runtime-Version': null,
  'X-Stainless-Timeout': null,
};

/** The longest timer there is: the library's own clock ends at the headers, ours do not. */
const NEVER_MS = 2 ** 31 - 1;

export interface ClientOptions {
  readonly baseUrl: string;
  readonly key: string | null;
  /** The person's own, sent with each request. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

export function openClient(options: ClientOptions): EndpointClient {
  const bodies = new WeakMap<Headers, string>();
  const client = new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...options.headers, ...NOT_SENT, ...(options.key === null ? { Authorization: null } : {}) },
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    dangerouslyAllowBrowser: true,
    fetch: guardedFetch(options.fetch ?? fetch, bodies),
  });
  return {
    chat: ({ messages, extra, stop, ...body }, signal, headers = {}) =>
      answered(
        client.chat.completions
          .create(
            {
              ...extra,
              stream: true,
              ...body,
              ...(stop && { stop: [...stop] }),
              messages: messages.map(sentMessage),
            },
            { signal, headers },
          )
          .asResponse(),
        bodies,
      ),
    completions: ({ stop, extra, ...body }, signal) =>
      answered(
        client.completions.create({ ...extra, ...body, stop: [...stop], stream: true }, { signal }).asResponse(),
        bodies,
      ),
    call: (method, path, signal, body) => answered(client[method](path, { signal, body }).asResponse(), bodies),
    models: (signal) => answered(client.models.list({ signal }).asResponse(), bodies),
  };
}

function sentMessage(message: NativeMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') return { ...message };
  if (!('tool_calls' in message)) return { role: message.role, content: message.content };
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call })) };
}

/** Sends nothing but the request, follows nothing, and keeps the body of a refusal, which the library may lose. */
function guardedFetch(inner: typeof fetch, bodies: WeakMap<Headers, string>): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, {
      ...init,
      credentials: 'omit',
      redirect: 'manual',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      ...addressSpace(input instanceof Request ? input.url : String(input), pageUrl()),
    });
    const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
    if (isRedirect) throw new RedirectAnswer(response.headers.get('location'));
    if (response.ok) return response;
    const text = await readText(response);
    const kept = new Response(text, { status: response.status, headers: response.headers });
    bodies.set(kept.headers, text);
    return kept;
  };
}

async function answered(request: Promise<Response>, bodies: WeakMap<Headers, string>): Promise<Response> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof APIConnectionError) throw error.cause instanceof Error ? error.cause : error;
    if (isApiError(error) && error.status !== undefined && error.headers) {
      throw new ErrorAnswer(error.status, error.headers, bodies.get(error.headers) ?? error.message);
    }
    throw error;
  }
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
