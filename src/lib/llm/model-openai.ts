import type { Failure } from '../core/failure';
import { DEFAULT_CLOCKS, type Completion, type ModelRequest, type RequestClocks } from '../core/model';
import type { Clock, Model, Network } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import type { Usage } from '../core/usage';
import { readAnswer, type AnswerRead } from './answer-reader';
import { watchRequest, type RequestWatch } from './clocks';
import { isSendableKey } from './key-form';
import { made, mapAnswer, mapBreak, mapRefusal, mapStreamError, type ErrorContext } from './map-error';
import { openClient, type ChatBody, type EndpointClient } from './openai-client';
import { probeEndpoint } from './probe';
import { RequestDialect } from './request-dialect';

export interface OpenAiModelOptions {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  readonly contextTokens: number | null;
  readonly clock: Clock;
  readonly network: Network;
  readonly estimateTokens: (text: string) => number;
  readonly fetch?: typeof fetch;
}

type CompleteOptions = Parameters<Model['complete']>[1];

/**
 * A model behind an OpenAI-compatible server. One request a call, never repeated here but for a parameter that the
 * server does not know. An answer counts only with a finish reason and visible text.
 */
export class OpenAiModel implements Model {
  readonly identity: string;
  readonly contextTokens: number | null;
  readonly #options: OpenAiModelOptions;
  readonly #client: EndpointClient;
  readonly #dialect = new RequestDialect();

  constructor(options: OpenAiModelOptions) {
    this.identity = `openai/${options.model}`;
    this.contextTokens = options.contextTokens;
    this.#options = options;
    this.#client = openClient(options);
  }

  async complete(request: ModelRequest, options: CompleteOptions): Promise<Result<Completion>> {
    const { clock } = this.#options;
    const { signal, clocks = DEFAULT_CLOCKS, onText } = options;
    throwIfAborted(signal);
    if (!isSendableKey(this.#options.key))
      return fail(this.#made('auth_failed', 'the key holds characters that cannot be sent'));
    const startedMs = clock.monotonicMs();
    const watch = watchRequest(clock, clocks, signal);
    try {
      const response = await this.#ask(request, watch);
      throwIfAborted(signal);
      if (!response.ok) return fail(this.#expired(watch, clocks) ?? response.failure);
      watch.headersSeen();
      let firstTokenMs: number | null = null;
      const onToken = () => (firstTokenMs ??= clock.monotonicMs() - startedMs);
      const read = await readAnswer(response.value, { watch, graceMs: clocks.graceMs, onToken, onText });
      throwIfAborted(signal);
      const wrong = this.#judge(read, watch, clocks);
      if (wrong) return fail(wrong);
      return ok({
        text: read.text,
        finishReason: read.finishReason ?? 'stop',
        usage: this.#usage(request, read),
        model: read.model ?? this.#options.model,
        firstTokenMs,
        durationMs: clock.monotonicMs() - startedMs,
      });
    } finally {
      watch.stop();
    }
  }

  async probe(signal: AbortSignal): Promise<Result<void>> {
    throwIfAborted(signal);
    const probed = await probeEndpoint(this.#client, this.#options.clock, () => this.#context(), signal);
    throwIfAborted(signal);
    return probed;
  }

  async #ask(request: ModelRequest, watch: RequestWatch): Promise<Result<Response>> {
    for (;;) {
      const body: ChatBody = this.#dialect.body(this.#options.model, request);
      try {
        return ok(await this.#client.chat(body, watch.signal));
      } catch (error) {
        if (!watch.signal.aborted && this.#dialect.learn(error, body)) continue;
        return fail(mapRefusal(error, this.#context()));
      }
    }
  }

  /** Null when the answer is a good one. */
  #judge(read: AnswerRead, watch: RequestWatch, clocks: RequestClocks): Failure | null {
    const { ending } = read;
    switch (ending.how) {
      case 'finished':
        return this.#judgeText(read);
      case 'broken':
        return this.#expired(watch, clocks) ?? mapBreak(ending.error, this.#context());
      case 'error':
        return mapStreamError(ending.value, this.#context());
      case 'not_an_answer':
        return mapAnswer({ status: 200, headers: null, bodyText: ending.bodyText }, this.#context());
      case 'malformed':
        return this.#made('stream_malformed', `cannot be read: ${ending.sample.slice(0, 100)}`);
      case 'ended':
        return ending.sawDone && read.text === ''
          ? this.#made('empty_response', 'the stream ended without any text')
          : this.#made('stream_cut', 'the stream ended without a finish reason');
    }
  }

  #judgeText(read: AnswerRead): Failure | null {
    if (read.finishReason === 'content_filter') return this.#made('content_refused', 'finish reason content_filter');
    if (read.text !== '') return null;
    return read.finishReason === 'length'
      ? this.#made('output_truncated', 'the output limit was reached before any visible text')
      : this.#made('empty_response', 'a finish reason without any visible text');
  }

  #expired(watch: RequestWatch, clocks: RequestClocks): Failure | null {
    switch (watch.expired) {
      case null:
        return null;
      case 'connect_timeout':
        return this.#made(watch.expired, 'no response headers in time', { limitMs: clocks.connectMs });
      case 'first_token_timeout':
        return this.#made(watch.expired, 'no first token in time', { limitMs: clocks.firstTokenMs });
      case 'idle_timeout':
        return this.#made(watch.expired, 'no further token in time', { limitMs: clocks.idleMs });
      case 'request_timeout':
        return this.#made(watch.expired, 'not finished in time', { limitMs: clocks.wholeMs });
    }
  }

  #usage(request: ModelRequest, read: AnswerRead): Usage {
    if (read.usage) return { ...read.usage, estimated: false };
    const { estimateTokens } = this.#options;
    return {
      promptTokens: request.messages.reduce((sum, { content }) => sum + estimateTokens(content) + 4, 0),
      completionTokens: estimateTokens(read.written),
      estimated: true,
    };
  }

  #made(...args: Parameters<typeof made> extends [unknown, ...infer Rest] ? Rest : never): Failure {
    return made(this.#options, ...args);
  }

  #context(): ErrorContext {
    const { baseUrl, model, key, clock, network } = this.#options;
    return { baseUrl, model, key, nowMs: clock.now(), online: network.online };
  }
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new DOMException('aborted by the caller', 'AbortError');
}
