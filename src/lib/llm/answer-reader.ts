import type { ToolWay } from '../core/capabilities';
import type { FinishReason } from '../core/model';
import { readChunk, type ChunkNews, type PrefillSeen } from './chat-chunk';
import { AnswerText, type AnswerEnd } from './answer-text';
import type { RequestWatch } from './clocks';
import { finishReasonOf } from './finish-reason';
import { readText } from './read-text';
import { EndlessEvent, readEvents } from './sse';

/** Everything that came of an answer, whole or not. */
export interface AnswerRead extends AnswerEnd {
  /** Why the model does not answer, in its words; empty when it said nothing of the kind. */
  readonly refusal: string;
  /** Everything the model wrote, thinking included: what its tokens are counted by. */
  readonly written: string;
  readonly finishReason: FinishReason | null;
  readonly usage: ChunkNews['usage'];
  readonly model: string | null;
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
    | { readonly how: 'malformed'; readonly sample: string };
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
}

/** After `[DONE]` the end of the stream is awaited only for the connection's sake. */
const DRAIN_MS = 200;
const MAX_WHOLE_ANSWER_BYTES = 16 * 1024 * 1024;

/** Reads an answer to its end. Never rejects: how it ended is in the result. */
export async function readAnswer(response: Response, options: ReadOptions): Promise<AnswerRead> {
  const reading = new Reading(options);
  try {
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    if (!response.body) return reading.result({ how: 'ended', sawDone: false });
    if (/\b(json|html)\b/.test(type) && !type.includes('event-stream') && !type.includes('ndjson')) {
      return reading.takeWhole(await readText(response, MAX_WHOLE_ANSWER_BYTES));
    }
    for await (const { name, data } of readEvents(response.body, () => options.watch.progressSeen())) {
      const ending = reading.take(name, data);
      if (ending) return reading.result(ending);
    }
    return reading.result(reading.endOfStream());
  } catch (error) {
    const isEndless = error instanceof EndlessEvent;
    return reading.result(isEndless ? { how: 'malformed', sample: error.sample } : { how: 'broken', error });
  }
}

class Reading {
  readonly #answer: AnswerText;
  readonly #options: ReadOptions;
  #written = '';
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

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#answer = new AnswerText(options.calls ?? null);
  }

  /** Takes one event; returns how the answer ended when this event ends it before its stream does. */
  take(name: string, data: string): AnswerRead['ending'] | null {
    if (this.#sawDone) return null;
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
    if (news) this.#takeNews(news);
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
    this.#takeNews(news);
    this.#isOverlong();
    return this.result(this.endOfStream());
  }

  endOfStream(): AnswerRead['ending'] {
    const nothingRead = this.#written === '' && this.#model === null && !this.#sawDone;
    if (this.#unreadable !== null && nothingRead) return { how: 'not_an_answer', bodyText: this.#unreadable };
    return { how: 'ended', sawDone: this.#sawDone };
  }

  result(ending: AnswerRead['ending']): AnswerRead {
    const odd =
      this.#oddFinish === null ? null : ({ how: 'malformed', sample: `finish reason ${this.#oddFinish}` } as const);
    return {
      ...this.#answer.end(this.#finish),
      refusal: this.#refusal,
      written: this.#written,
      finishReason: this.#finish,
      usage: this.#usage,
      model: this.#model,
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

  #takeNews(news: ChunkNews): void {
    const { watch, graceMs, onToken, onText } = this.#options;
    this.#model ??= news.model;
    this.#usage = news.usage ?? this.#usage;
    if (news.prefill) this.#options.onPrefill(news.prefill);
    if (this.#finished) return;
    const calls = this.#takeCalls(news.toolCalls);
    this.#characters += news.content.length + news.reasoning.length + calls.length;
    this.#refusal += news.refusal;
    this.#answer.pushReasoning(news.reasoning);
    if (news.content !== '' || news.reasoning !== '' || calls !== '' || news.refusal !== '') {
      watch.tokenSeen();
      onToken();
    } else watch.progressSeen();
    const content = news.content.slice(0, Math.max(0, this.#options.maxCharacters - this.#written.length));
    if (content !== '') {
      this.#written += content;
      this.#answer.push(content);
      const text = this.#answer.text;
      if (text !== this.#shown) {
        this.#shown = text;
        onText?.(text);
      }
    }
    if (news.finishReason !== null) {
      this.#finished = true;
      this.#finish = finishReasonOf(news.finishReason);
      if (this.#finish === null) this.#oddFinish = news.finishReason;
      watch.finishSeen(graceMs);
    }
  }

  /** What the model wrote of calls; nothing where none are expected. */
  #takeCalls(toolCalls: unknown): string {
    if (toolCalls === null || this.#options.calls !== 'native') return '';
    this.#answer.pushCalls(toolCalls);
    return JSON.stringify(toolCalls);
  }
}
