import type { IncomingHttpHeaders } from 'node:http';
import type { KeptStream } from './scripted/kept-streams.mjs';

/** What a scripted answer does. Every field but `type` has a default. */
export type Behaviour =
  | StreamBehaviour
  | RawBehaviour
  | JsonBehaviour
  | HtmlBehaviour
  /** RST before any byte of an answer. */
  | { type: 'reset'; afterMs?: number }
  /** Says nothing more: before headers (`request`), after headers, or after the given number of tokens. */
  | { type: 'stall'; after: 'request' | 'headers' | 'tokens'; tokens?: number; text?: string }
  /** The server goes away: this connection is reset and the port is closed until `restart()`. */
  | { type: 'refuse' }
  /** A stream that is kept, from a byte on. */
  | { type: 'kept'; stream: KeptStream; from: number };

export interface StreamBehaviour {
  type: 'stream';
  text?: string;
  /** The pieces as they go over the wire; overrides `text`. */
  chunks?: string[];
  /** Before headers. */
  delayMs?: number;
  /** Between headers and the first piece. */
  firstDelayMs?: number;
  betweenMs?: number;
  /** Null ends the stream without a finish reason and without `[DONE]`. @default 'stop' */
  finish?: 'stop' | 'length' | 'content_filter' | 'tool_calls' | null;
  /** Null sends none although asked. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** Pieces of hidden reasoning sent as `reasoning_content` before the text. */
  reasoning?: string[];
  /** Sent in place of text, each in two pieces; `finish` is then `tool_calls`. */
  toolCalls?: { name: string; arguments: string }[];
  /** Further fields of every chunk, such as `system_fingerprint`. */
  head?: Record<string, unknown>;
  /** What an answer that is not streamed begins with: llama.cpp repeats there what it continues. */
  echo?: string;
  /** Everything is written at once when it is complete, as a proxy does that buffers. */
  buffered?: boolean;
}

export interface RawBehaviour {
  type: 'raw';
  bytes: Uint8Array;
  /** Byte offsets at which the bytes are cut into separate writes. */
  cuts?: number[];
  pauseMs?: number;
  end?: 'close' | 'reset' | 'hold_open';
  status?: number;
  headers?: Record<string, string>;
  delayBeforeHeadersMs?: number;
}

export interface JsonBehaviour {
  type: 'json';
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
  delayMs?: number;
  /** False leaves the CORS headers out, as an outer middleware's answers do. */
  cors?: boolean;
}

export interface HtmlBehaviour {
  type: 'html';
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface ServedRequest {
  readonly id: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatBody;
  /** Text of the last user message; empty for anything but a chat. */
  readonly content: string;
  /** The client went away before the answer was whole. */
  aborted: boolean;
  /** The answer went out whole. */
  finished: boolean;
}

export interface ChatBody {
  model?: string;
  messages?: { role: string; content: string }[];
  tools?: { function?: { name?: string } }[];
  response_format?: { type?: string; json_schema?: { schema?: Record<string, unknown> } };
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  temperature?: number;
  [field: string]: unknown;
}

export interface ListedModel {
  id: string;
  max_model_len?: number;
  [field: string]: unknown;
}

/**
 * `good` reflects origin and headers. `headers-too-few` allows only content-type and authorization. `origin-missing`
 * never names an origin. `no-options-handler` answers every preflight with 405.
 */
export type CorsVariant = 'good' | 'headers-too-few' | 'origin-missing' | 'no-options-handler';

export type DialectName = 'vllm' | 'llama.cpp' | 'ollama' | 'lm-studio';

export type Script = (
  request: ServedRequest,
) => Behaviour | undefined | null | void | Promise<Behaviour | undefined | null | void>;

export interface ModelServerOptions {
  /** @default 0, a free one */
  port?: number;
  host?: string;
  /** Path before `/chat/completions`. @default '/v1' */
  basePath?: string;
  /** Text of the default answer. */
  answer?: (content: string, request: ServedRequest) => string;
  models?: (string | ListedModel)[];
  /** Before the headers of every default answer. */
  delayMs?: number;
  /** Between two pieces of every default answer. */
  betweenMs?: number;
  tokensPerChunk?: number;
  /** When set, requests without it get 401. */
  key?: string;
  cors?: CorsVariant;
  /** Response headers a page on another origin may read. */
  exposeHeaders?: string;
  /** Answer 404 to a chat with a model that is not listed, as vLLM does. */
  strictModel?: boolean;
  /** Speaks as that server does: its routes, its refusals, its rules for other origins. @default no server's */
  dialect?: DialectName;
  /** Tokens that one request may hold; only a dialect keeps to it. @default as each server comes */
  contextTokens?: number;
  /** Chats answered at once by a dialect; the others wait without headers. @default as each server comes */
  slots?: number;
  /** What a server answers while it reads its model. */
  loading?: boolean;
  /** Origins that a dialect lets read its answers, in place of what each allows as it comes. */
  allowedOrigins?: string[];
  /** Whether a last message of the assistant is gone on with. @default as each server does */
  continues?: boolean;
  /** Whether a schema is kept to. @default true */
  schema?: boolean;
  /** Whether offered tools are called in fields, in Hermes' text, or refused. @default as each server comes */
  tools?: 'native' | 'text' | 'refused';
  /** Every answer is kept back until it is complete, as a proxy does that buffers. */
  buffered?: boolean;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly host: string;
  /** Chats, in order of arrival. */
  readonly requests: ServedRequest[];
  /** Anything else but preflights. */
  readonly otherRequests: ServedRequest[];
  readonly preflights: number;
  /** Chats that are being answered. */
  readonly inFlight: number;
  readonly maxInFlight: number;
  /** Tokens that were written into answers that stream, whoever read them. */
  readonly generatedTokens: number;
  /** How many chats came with each content. */
  countByContent(): Map<string, number>;
  /** Decides the answer to each chat; nothing returned means the default answer. Null ends the script. */
  script(fn: Script | null): void;
  /** The same for `/models` and every other path. */
  scriptOthers(fn: Script | null): void;
  /** Changes options of the running server. */
  set(options: Partial<Omit<ModelServerOptions, 'port' | 'host'>>): void;
  /** From now on chats wait before their headers. */
  hold(): void;
  /** Lets `count` held chats go on (the barrier stays), or all of them and every later one. */
  release(count?: number): void;
  readonly held: number;
  /** Resolves as soon as it is true; asked again whenever something happens on the server. */
  waitFor(predicate: (server: ModelServer) => boolean, timeoutMs?: number): Promise<void>;
  /** RST on every open connection. */
  killConnections(): void;
  /** Resets every connection and closes the port. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  restart(): Promise<void>;
  /** Forgets the requests seen so far. */
  forget(): void;
}
