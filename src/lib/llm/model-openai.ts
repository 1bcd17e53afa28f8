import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../core/endpoint-settings';
import { DEFAULT_CLOCKS, NO_TIMEOUTS, type Completion, type ModelRequest } from '../core/model';
import type { Clock, CompleteOptions, Model, Network } from '../core/ports';
import type { Failure } from '../core/failure';
import { requestTokens } from '../core/request-tokens';
import { fail, ok, type Result } from '../core/result';
import { sourceMark } from '../core/source-mark';
import { throwIfAborted } from './abort';
import { readAnswer } from './answer-reader';
import { askModel } from './ask-model';
import { answered } from './answered';
import type { PrefillSeen } from './chat-chunk';
import { watchRequest } from './clocks';
import type { PromptCounts } from './context/prompt-counts';
import { judgeClock, judgeEnding, judgeText } from './judge-answer';
import { isSendableKey } from './key-form';
import { isThere } from './knock';
import { pageUrl } from './local-network';
import { nothingLearned, type Learned } from './learned';
import { made, mapRefusal, type ErrorContext } from './map-error';
import { modelIdentity } from './model-identity';
import { openClient, type EndpointClient } from './openai-client';
import type { PrefillSpeed } from './prefill-speed';
import { probeEndpoint } from './probe';
import { QuestionForm, type KnownForms } from './question-form';
import type { RequestDialect } from './request-dialect';
import { atOnce, limitsFor, type RequestLimits } from './request-limits';
import { continuationOf, usageOf } from './resume/accounts';
import { ResumeLadder, type Opened } from './resume/ladder';
import type { KnownWays, ResumeWays } from './resume/ways';
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
  /** What was found out of the server; absent for nothing. */
  readonly capabilities?: KnownForms['capabilities'] & Partial<ResumeWays>;
  readonly clock: Clock;
  readonly network: Network;
  readonly estimateTokens: (text: string) => number;
  /** Shared by whoever asks this endpoint. */
  readonly line: Pick<SendLine, 'enter'>;
  readonly counts: PromptCounts;
  readonly fetch?: typeof fetch;
  /** @default the address of the page or worker */
  readonly pageUrl?: string | null;
}

/**
 * Characters that an answer of so many tokens can have. Tokens are some four characters long and rarely more than
 * sixteen; the rest is for limits that count only what comes after the thinking.
 */
const CHARACTERS_PER_TOKEN = 32;
const SPARE_CHARACTERS = 256 * 1024;

/** What the chat template adds to each message. */
const TOKENS_PER_MESSAGE = 4;

/** How long the word that a stream is not wanted any more may take to arrive. */
const STOP_MS = 5_000;

/** Where a request failed without an answer, how long it may take to learn whether there was one. */
const KNOCK_MS = 2_000;

/** What all tries of one answer share. */
interface Trial {
  readonly request: ModelRequest;
  readonly options: CompleteOptions;
  /** Of the endpoint's addresses the one that is asked. */
  readonly baseUrl: string;
  readonly promptTokens: number;
  readonly limits: RequestLimits;
  readonly startedMs: number;
}

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
  readonly #ways: KnownWays;

  constructor(options: OpenAiModelOptions) {
    this.#settings = options.settings ?? DEFAULT_ENDPOINT_SETTINGS;
    this.identity = modelIdentity(options.model, this.#settings);
    this.source = sourceMark(options.baseUrl, options.model);
    this.contextTokens = options.contextTokens;
    this.#options = options;
    this.#form = new QuestionForm(options);
    this.#counts = options.counts;
    ({ dialect: this.#dialect, speed: this.#speed, ways: this.#ways } = options.learned ?? nothingLearned());
  }

  get tokenRatio(): number | null {
    return this.#counts.tokenRatio;
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
    const { clock } = this.#options;
    const { signal, clocks = DEFAULT_CLOCKS, earlier = NO_TIMEOUTS } = options;
    const promptTokens = this.#promptTokens(request);
    const limits = limitsFor(
      this.#form.comesAtOnce ? atOnce(clocks) : clocks,
      this.#speed.expectedMs(promptTokens),
      earlier,
    );
    const ladder = this.#ladder(request, options, baseUrl);
    const startedMs = clock.monotonicMs();
    try {
      for (;;) {
        const tried = await this.#try(ladder, { request, options, baseUrl, promptTokens, limits, startedMs });
        if (tried === null) continue;
        if (!tried.ok && tried.failure.code === 'context_overflow') this.#counts.refused(promptTokens, tried.failure);
        return tried;
      }
    } finally {
      // Nobody comes back for it: the server is free for another.
      if (signal.aborted && options.stream?.isUnwanted()) void ladder.stop(AbortSignal.timeout(STOP_MS));
    }
  }

  /** One stream of the answer, read to its end; null when there is another way to have the answer. */
  async #try(
    ladder: ResumeLadder,
    { request, options, baseUrl, promptTokens, limits, startedMs }: Trial,
  ): Promise<Result<Completion> | null> {
    const { clock, model, estimateTokens } = this.#options;
    const { signal, onText, onBegun } = options;
    const watch = watchRequest(clock, limits, signal);
    const outOfTime = () => judgeClock(watch.expired, limits, this.#context(baseUrl));
    try {
      const opened = await this.#open(ladder, baseUrl, watch.signal);
      throwIfAborted(signal);
      if (!opened.ok) return fail(outOfTime() ?? opened.failure);
      watch.headersSeen();
      const { response, start } = opened.value;
      let firstTokenMs: number | null = null;
      let prefill: PrefillSeen | null = null;
      const read = await readAnswer(response, {
        watch,
        calls: this.#form.callsWay(request),
        graceMs: limits.graceMs,
        maxCharacters: request.maxTokens * CHARACTERS_PER_TOKEN + SPARE_CHARACTERS,
        onToken: () => (firstTokenMs ??= clock.monotonicMs() - startedMs),
        onPrefill: (seen) => {
          prefill = seen;
          this.#dialect.wantProgress();
          this.#ways.sawLlamaCpp();
        },
        onText,
        resume: { start, estimateTokens, onBegun },
      });
      // A whole answer that only its usage was awaited of is not lost to a pause.
      if (read.ending.how !== 'finished') throwIfAborted(signal);
      if (ladder.falls(read, watch.expired)) return null;
      if (start.how === 'asked') this.#learnSpeed(promptTokens, firstTokenMs, prefill);
      const context = this.#context(baseUrl);
      const wrong = judgeEnding(read, outOfTime(), context) ?? judgeText(read, context);
      if (wrong) return fail(wrong);
      const usage = usageOf(promptTokens, read, start, estimateTokens);
      const said = answered(request, read);
      const inputCut = this.#counts.judge(request, promptTokens, { usage, finishReason: said.finishReason });
      return ok({
        ...said,
        ...(inputCut && { inputCut }),
        usage,
        model: read.model ?? model,
        firstTokenMs,
        durationMs: clock.monotonicMs() - startedMs,
        continuation: continuationOf(start, read),
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

  async #open(ladder: ResumeLadder, baseUrl: string, signal: AbortSignal): Promise<Result<Opened>> {
    try {
      return ok(await ladder.open(signal));
    } catch (error) {
      const refusal = mapRefusal(error, this.#context(baseUrl));
      return fail((await this.#unread(refusal, baseUrl, signal)) ?? refusal);
    }
  }

  /** Whether there was an answer after all, which this page may not read; null for none. */
  async #unread({ code, message }: Failure, baseUrl: string, signal: AbortSignal): Promise<Failure | null> {
    const { clock, fetch: send = fetch, pageUrl: page = pageUrl() } = this.#options;
    if (code !== 'endpoint_unreachable' || page === null || signal.aborted) return null;
    const isUnread = await isThere({ clock, fetch: send, pageUrl: page, signal }, baseUrl, KNOCK_MS);
    return isUnread ? made(this.#context(baseUrl), 'cors_blocked', message, { origin: new URL(page).origin }) : null;
  }

  #clientAt(baseUrl: string): EndpointClient {
    const client =
      this.#clients.get(baseUrl) ?? openClient({ ...this.#options, headers: this.#settings.headers, baseUrl });
    this.#clients.set(baseUrl, client);
    return client;
  }

  #ladder(request: ModelRequest, { begun = null, stream }: CompleteOptions, baseUrl: string): ResumeLadder {
    const { model, capabilities: known } = this.#options;
    const client = this.#clientAt(baseUrl);
    const question = { ...request, shape: this.#settings };
    return new ResumeLadder({
      request,
      begun,
      naming: stream ?? null,
      baseUrl: this.#options.baseUrl,
      found: known ? { continuing: known.continuing ?? null, reattaching: known.reattaching ?? null } : null,
      ways: this.#ways,
      client,
      ask: (how, signal) => askModel(client, this.#dialect, model, question, signal, this.#form, how),
      isOverflow: (error) => mapRefusal(error, this.#context()).kind === 'context',
    });
  }

  /** What the server says of its reading; else the wait for the first token, which may hold a wait in its queue. */
  #learnSpeed(promptTokens: number, firstTokenMs: number | null, prefill: PrefillSeen | null): void {
    if (prefill) this.#speed.saw(prefill.tokens, prefill.tookMs);
    else if (firstTokenMs !== null) this.#speed.saw(promptTokens, firstTokenMs);
  }

  #promptTokens(request: ModelRequest): number {
    const around = (request.messages.length + (request.turns ?? []).length) * TOKENS_PER_MESSAGE;
    return requestTokens(request, this.#options.estimateTokens) + around;
  }

  #context(baseUrl = this.#options.baseUrl): ErrorContext {
    const { model, key, clock, network } = this.#options;
    return { baseUrl, model, key, nowMs: clock.now(), online: network.online };
  }
}
