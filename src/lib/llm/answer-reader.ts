import type { ToolWay } from '../core/capabilities';
import type { FinishReason } from '../core/model';
import type { Begun } from '../core/partial';
import { readChunk, type ChunkNews, type PrefillSeen } from './chat-chunk';
import { AnswerText, type AnswerEnd } from './answer-text';
import type { RequestWatch } from './clocks';
import { finishReasonOf } from './finish-reason';
import { readText } from './read-text';
import { FROM_NOTHING, Gathered, type Start } from './resume/gathered';
import { Seam, type SeamFault } from './resume/seam';
import { EndlessEvent, isEventText, readEvents, type EventPlace, type StreamEvent } from './sse';
import { StrayText } from './stray-text';

/** Everything that came of an answer, whole or not. */
export interface AnswerRead extends AnswerEnd {
  /** Why the model does not answer, in its words; empty when it said nothing of the kind. */
  readonly refusal: string;
  /** Everything the model wrote, thinking included: what its tokens are counted by. */
  readonly written: string;
  readonly finishReason: FinishReason | null;
  readonly usage: ChunkNews['usage'];
  readonly model: string | null;
  /** All of it that can be gone on with, and how many tokens of it were there when its stream was found. */
  readonly begun: Begun;
  readonly foundTokens: number;
  readonly ending:
    /** A finish reason was seen. */
    | { readonly how: 'finished' }
    /** The stream ended by itself without one. */
    | { readonly how: 'ended'; readonly sawDone: boolean }
    /** The stream broke, or was aborted. */
    | { readonly how: 'broken'; readonly error: unknown }
    /** The server wrote an error into the stream. */
    | { readonly how: 'error'; readonly value: unknown }
    /** Not a stream of chunks at all. */
    | { readonly how: 'not_an_answer'; readonly bodyText: string }
    | { readonly how: 'malformed'; readonly sample: string }
    /** It does not go on with what it should have gone on with. */
    | { readonly how: 'unfit'; readonly why: SeamFault };
}

interface ReadOptions {
  readonly watch: RequestWatch;
  readonly graceMs: number;
  /** An answer longer than this, thinking included, is ended here as one cut at its limit. */
  readonly maxCharacters: number;
  /** How calls are to be read; absent or null where none are expected. */
  readonly calls?: ToolWay | null;
  readonly onToken: () => void;
  readonly onPrefill: (seen: PrefillSeen) => void;
  readonly onText: ((text: string) => void) | undefined;
  /** Absent for an answer that is never gone on with. */
  readonly resume?: {
    readonly start: Start;
    readonly estimateTokens: (text: string) => number;
    readonly onBegun: ((begun: Begun) => void) | undefined;
  };
}

/** After `[DONE]` the end of the stream is awaited only for the connection's sake. */
const DRAIN_MS = 200;
const MAX_WHOLE_ANSWER_BYTES = 16 * 1024 * 1024;

/** Reads an answer to its end. Never rejects: how it ended is in the result. */
export async function readAnswer(response: Response, options: ReadOptions): Promise<AnswerRead> {
  const reading = new Reading(options);
  try {
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    let { body } = response;
    if (!body) return reading.result({ how: 'ended', sawDone: false });
    if (/\b(json|html)\b/.test(type) && !type.includes('event-stream') && !type.includes('ndjson')) {
      const bodyText = await readText(response, MAX_WHOLE_ANSWER_BYTES);
      if (!isEventText(bodyText)) return reading.takeWhole(bodyText);
      // A stream that came under another name.
      body = new Blob([bodyText]).stream();
    }
    const stray = new StrayText();
    const events = readEvents(body, {
      onComment: () => options.watch.progressSeen(),
      onStray: (line) => stray.add(line),
      offset: reading.place?.end ?? null,
    });
    for await (const ofPiece of events) {
      reading.beginPiece();
      for (const event of ofPiece) {
        const ending = reading.take(event);
        if (ending) return reading.result(ending);
      }
    }
    return stray.isWhole && reading.hasNothing ? reading.takeWhole(stray.text) : reading.result(reading.endOfStream());
  } catch (error) {
    const isEndless = error instanceof EndlessEvent;
    return reading.result(isEndless ? { how: 'malformed', sample: error.sample } : { how: 'broken', error });
  }
}

class Reading {
  readonly #answer: AnswerText;
  readonly #options: ReadOptions;
  #refusal = '';
  #characters = 0;
  #shown = '';
  #finish: FinishReason | null = null;
  #finished = false;
  #oddFinish: string | null = null;
  #usage: ChunkNews['usage'] = null;
  #model: string | null = null;
  #sawDone = false;
  #unreadable: string | null = null;
  #isAlive = false;
  readonly #start: Start;
  readonly #gathered: Gathered;
  readonly #seam: Seam;
  /** Where the event stands that is being read, in a stream that the server keeps. */
  #place: EventPlace | null;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#answer = new AnswerText(options.calls ?? null);
    this.#start = options.resume?.start ?? FROM_NOTHING;
    const { kept } = this.#start;
    const beginsAt = kept.stream?.last?.from ?? 0;
    this.#place = kept.stream ? { from: beginsAt, end: beginsAt } : null;
    this.#gathered = new Gathered(this.#start, options.resume?.estimateTokens ?? (() => 1));
    this.#seam = new Seam(this.#start);
    this.#answer.pushReasoning(kept.reasoning);
    this.#answer.push(kept.content);
    this.#characters = kept.content.length + kept.reasoning.length;
  }

  get place(): EventPlace | null {
    return this.#place;
  }

  /** What comes from here on came together, at one time. */
  beginPiece(): void {
    this.#isAlive = false;
  }

  /** Takes one event; returns how the answer ended when this event ends it before its stream does. */
  take({ name, data, place }: StreamEvent): AnswerRead['ending'] | null {
    if (this.#sawDone) return null;
    this.#place &&= place ?? this.#place;
    const known = this.#seam.isKnown(data);
    if (known === true) return null;
    if (known !== false) return { how: 'unfit', why: known };
    if (data.startsWith('[DONE]')) {
      this.#sawDone = true;
      this.#options.watch.finishSeen(Math.min(DRAIN_MS, this.#options.graceMs));
      return null;
    }
    // Unreadable data is a fault only when something follows it: at the very end it is a cut.
    if (this.#unreadable !== null) return this.#finished ? null : { how: 'malformed', sample: this.#unreadable };
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      if (name === 'error') return this.#failed(data);
      this.#unreadable = data;
      return null;
    }
    const news = readChunk(value);
    if (name === 'error' || news?.isError) return this.#failed(value);
    const fault = news ? this.#takeNews(news, data) : null;
    if (fault) return { how: 'unfit', why: fault };
    return this.#isOverlong() ? { how: 'finished' } : null;
  }

  /** A server that does not stream answers with one JSON object. */
  takeWhole(bodyText: string): AnswerRead {
    let value: unknown;
    try {
      value = JSON.parse(bodyText);
    } catch {
      return this.result({ how: 'not_an_answer', bodyText });
    }
    const news = readChunk(value);
    if (!news || news.isError || news.finishReason === null) return this.result({ how: 'not_an_answer', bodyText });
    const fault = this.#takeNews(this.#withoutKept(news), bodyText);
    if (fault) return this.result({ how: 'unfit', why: fault });
    this.#isOverlong();
    return this.result(this.endOfStream());
  }

  /** No part of an answer has come. */
  get hasNothing(): boolean {
    return this.#gathered.content === '' && this.#model === null && !this.#sawDone && !this.#finished;
  }

  endOfStream(): AnswerRead['ending'] {
    if (this.#unreadable !== null && this.hasNothing) return { how: 'not_an_answer', bodyText: this.#unreadable };
    return { how: 'ended', sawDone: this.#sawDone };
  }

  result(ending: AnswerRead['ending']): AnswerRead {
    const odd =
      this.#oddFinish === null ? null : ({ how: 'malformed', sample: `finish reason ${this.#oddFinish}` } as const);
    return {
      ...this.#answer.end(this.#finish),
      refusal: this.#refusal,
      written: this.#gathered.content,
      finishReason: this.#finish,
      usage: this.#usage,
      model: this.#model,
      begun: this.#gathered.begun,
      foundTokens: this.#gathered.foundTokens,
      ending: this.#finished ? (odd ?? { how: 'finished' }) : ending,
    };
  }

  /** The server knows no limit of its own. What it wrote so far is what a limit would have left. */
  #isOverlong(): boolean {
    if (this.#characters <= this.#options.maxCharacters) return false;
    this.#finished = true;
    this.#finish = 'length';
    this.#oddFinish = null;
    return true;
  }

  #failed(value: unknown): AnswerRead['ending'] | null {
    return this.#finished ? null : { how: 'error', value };
  }

  /** A whole answer to a request that ended in an unfinished one holds that too, at servers that do not stream. */
  #withoutKept(news: ChunkNews): ChunkNews {
    const { how, kept } = this.#start;
    if (how !== 'continued' || !news.content.startsWith(kept.content)) return news;
    this.#seam.release();
    return { ...news, content: news.content.slice(kept.content.length) };
  }

  #takeNews(news: ChunkNews, data: string): SeamFault | null {
    const { watch, graceMs, onToken } = this.#options;
    this.#model ??= news.model;
    this.#usage = news.usage ?? this.#usage;
    if (news.prefill) this.#options.onPrefill(news.prefill);
    if (this.#finished) return null;
    const calls = this.#takeCalls(news.toolCalls);
    this.#characters += calls.length;
    this.#refusal += news.refusal;
    if (news.content !== '' || news.reasoning !== '' || calls !== '' || news.refusal !== '') {
      if (!this.#isAlive) {
        watch.tokenSeen();
        onToken();
      }
      this.#isAlive = true;
    } else watch.progressSeen();
    const passed = this.#seam.pass(news.content, news.model);
    if ('fault' in passed) return passed.fault;
    this.#takeText(news.finishReason === null ? passed.text : passed.text + this.#seam.release(), news, data);
    if (news.finishReason !== null) {
      this.#finished = true;
      this.#finish = finishReasonOf(news.finishReason);
      if (this.#finish === null) this.#oddFinish = news.finishReason;
      watch.finishSeen(graceMs);
    }
    return null;
  }

  #takeText(passed: string, { reasoning, model }: ChunkNews, data: string): void {
    const { resume, onText, maxCharacters } = this.#options;
    this.#characters += passed.length + reasoning.length;
    this.#answer.pushReasoning(reasoning);
    const content = passed.slice(0, Math.max(0, maxCharacters - this.#gathered.content.length));
    if (!this.#seam.isHolding) {
      this.#gathered.take({ content, reasoning, served: model }, data, this.#place);
      if (resume?.onBegun && (content !== '' || reasoning !== '')) resume.onBegun(this.#gathered.begun);
    }
    if (content === '') return;
    this.#answer.push(content);
    const text = this.#answer.text;
    if (text === this.#shown) return;
    this.#shown = text;
    onText?.(text);
  }

  /** What the model wrote of calls; nothing where none are expected. */
  #takeCalls(toolCalls: unknown): string {
    if (toolCalls === null || this.#options.calls !== 'native') return '';
    this.#answer.pushCalls(toolCalls);
    return JSON.stringify(toolCalls);
  }
}
