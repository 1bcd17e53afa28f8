import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../core/endpoint-settings';
import { DEFAULT_CLOCKS, NO_TIMEOUTS, type Completion, type ModelRequest } from '../core/model';
import type { Clock, CompleteOptions, Model, Network } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { sourceMark } from '../core/source-mark';
import type { Usage } from '../core/usage';
import { throwIfAborted } from './abort';
import { readAnswer, type AnswerRead } from './answer-reader';
import { askModel } from './ask-model';
import { answered } from './answered';
import type { PrefillSeen } from './chat-chunk';
import { watchRequest } from './clocks';
import type { PromptCounts } from './context/prompt-counts';
import { judgeClock, judgeEnding, judgeText } from './judge-answer';
import { isSendableKey } from './key-form';
import { made, mapRefusal, type ErrorContext } from './map-error';
import { modelIdentity } from './model-identity';
import { openClient, type EndpointClient } from './openai-client';
import { PrefillSpeed } from './prefill-speed';
import { probeEndpoint } from './probe';
import { QuestionForm, type KnownForms } from './question-form';
import { RequestDialect } from './request-dialect';
import { atOnce, limitsFor } from './request-limits';
import type { SendLine } from './throughput/send-line';
import { sendOver } from './throughput/send-over';

export interface OpenAiModelOptions extends KnownForms {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  readonly contextTokens: number | null;
  /** @default nothing set */
  readonly settings?: EndpointSettings;
  /** What was learned of this address and this model before. @default nothing */
  readonly learned?: Learned;
  readonly clock: Clock;
  readonly network: Network;
  readonly estimateTokens: (text: string) => number;
  /** Shared by whoever asks this endpoint. */
  readonly line: Pick<SendLine, 'enter'>;
  readonly counts: PromptCounts;
  readonly fetch?: typeof fetch;
}

/** What requests teach of a server, of use to whoever asks it next. */
export interface Learned {
  readonly dialect: RequestDialect;
  readonly speed: PrefillSpeed;
}

export function nothingLearned(): Learned {
  return { dialect: new RequestDialect(), speed: new PrefillSpeed() };
}

/**
 * Characters that an answer of so many tokens can have. Tokens are some four characters long and rarely more than
 * sixteen; the rest is for limits that count only what comes after the thinking.
 */
const CHARACTERS_PER_TOKEN = 32;
const SPARE_CHARACTERS = 256 * 1024;

/** What the chat template adds to each message. */
const TOKENS_PER_MESSAGE = 4;

/**
 * A model behind an OpenAI-compatible server. One request a call, never repeated here but for a parameter that the
 * server does not know. An answer counts only with a finish reason and visible text.
 */
export class OpenAiModel implements Model {
  readonly identity: string;
  readonly source: string;
  readonly contextTokens: number | null;
  readonly #options: OpenAiModelOptions;
  readonly #clients = new Map<string, EndpointClient>();
  readonly #settings: EndpointSettings;
  readonly #dialect: RequestDialect;
  readonly #form: QuestionForm;
  readonly #speed: PrefillSpeed;
  readonly #counts: PromptCounts;

  constructor(options: OpenAiModelOptions) {
    this.#settings = options.settings ?? DEFAULT_ENDPOINT_SETTINGS;
    this.identity = modelIdentity(options.model, this.#settings);
    this.source = sourceMark(options.baseUrl, options.model);
    this.contextTokens = options.contextTokens;
    this.#options = options;
    this.#form = new QuestionForm(options);
    this.#counts = options.counts;
    ({ dialect: this.#dialect, speed: this.#speed } = options.learned ?? nothingLearned());
  }

  async complete(request: ModelRequest, options: CompleteOptions): Promise<Result<Completion>> {
    const { line, key } = this.#options;
    throwIfAborted(options.signal);
    if (!isSendableKey(key)) {
      return fail(made(this.#options, 'auth_failed', 'the key holds characters that cannot be sent'));
    }
    const tokens = this.#promptTokens(request) + request.maxTokens;
    return sendOver(line, tokens, options, (baseUrl) => this.#exchange(request, options, baseUrl));
  }

  async #exchange(request: ModelRequest, options: CompleteOptions, baseUrl: string): Promise<Result<Completion>> {
    const { clock, model } = this.#options;
    const { signal, clocks = DEFAULT_CLOCKS, earlier = NO_TIMEOUTS, onText } = options;
    const promptTokens = this.#promptTokens(request);
    const limits = limitsFor(
      this.#form.comesAtOnce ? atOnce(clocks) : clocks,
      this.#speed.expectedMs(promptTokens),
      earlier,
    );
    const startedMs = clock.monotonicMs();
    const watch = watchRequest(clock, limits, signal);
    const outOfTime = () => judgeClock(watch.expired, limits, this.#context());
    try {
      const asked = await this.#ask(request, baseUrl, watch.signal);
      throwIfAborted(signal);
      if (!asked.ok) return fail(outOfTime() ?? asked.failure);
      watch.headersSeen();
      let firstTokenMs: number | null = null;
      let prefill: PrefillSeen | null = null;
      const read = await readAnswer(asked.value, {
        watch,
        calls: this.#form.callsWay(request),
        graceMs: limits.graceMs,
        maxCharacters: request.maxTokens * CHARACTERS_PER_TOKEN + SPARE_CHARACTERS,
        onToken: () => (firstTokenMs ??= clock.monotonicMs() - startedMs),
        onPrefill: (seen) => {
          prefill = seen;
          this.#dialect.wantProgress();
        },
        onText,
      });
      // A whole answer that only its usage was awaited of is not lost to a pause.
      if (read.ending.how !== 'finished') throwIfAborted(signal);
      this.#learnSpeed(promptTokens, firstTokenMs, prefill);
      const context = this.#context();
      const wrong = judgeEnding(read, outOfTime(), context) ?? judgeText(read, context);
      if (wrong) return fail(wrong);
      const usage = this.#usage(promptTokens, read);
      const inputCut = this.#counts.judge(request, promptTokens, usage);
      return ok({
        ...answered(request, read),
        ...(inputCut && { inputCut }),
        usage,
        model: read.model ?? model,
        firstTokenMs,
        durationMs: clock.monotonicMs() - startedMs,
      });
    } finally {
      watch.stop();
    }
  }

  async probe(signal: AbortSignal): Promise<Result<void>> {
    throwIfAborted(signal);
    const probed = await probeEndpoint(
      this.#clientAt(this.#options.baseUrl),
      this.#options.clock,
      () => this.#context(),
      signal,
    );
    throwIfAborted(signal);
    return probed;
  }

  async #ask(request: ModelRequest, baseUrl: string, signal: AbortSignal): Promise<Result<Response>> {
    try {
      const question = { ...request, shape: this.#settings };
      return ok(
        await askModel(this.#clientAt(baseUrl), this.#dialect, this.#options.model, question, signal, this.#form),
      );
    } catch (error) {
      return fail(mapRefusal(error, this.#context()));
    }
  }

  #clientAt(baseUrl: string): EndpointClient {
    const client =
      this.#clients.get(baseUrl) ?? openClient({ ...this.#options, headers: this.#settings.headers, baseUrl });
    this.#clients.set(baseUrl, client);
    return client;
  }

  /** What the server says of its reading; else the wait for the first token, which may hold a wait in its queue. */
  #learnSpeed(promptTokens: number, firstTokenMs: number | null, prefill: PrefillSeen | null): void {
    if (prefill) this.#speed.saw(prefill.tokens, prefill.tookMs);
    else if (firstTokenMs !== null) this.#speed.saw(promptTokens, firstTokenMs);
  }

  #promptTokens({ messages }: ModelRequest): number {
    const { estimateTokens } = this.#options;
    return messages.reduce((sum, { content }) => sum + estimateTokens(content) + TOKENS_PER_MESSAGE, 0);
  }

  #usage(promptTokens: number, read: AnswerRead): Usage {
    if (read.usage) return { ...read.usage, estimated: false };
    return { promptTokens, completionTokens: this.#options.estimateTokens(read.written), estimated: true };
  }

  #context(): ErrorContext {
    const { baseUrl, model, key, clock, network } = this.#options;
    return { baseUrl, model, key, nowMs: clock.now(), online: network.online };
  }
}
