import { EventBounds } from './resume/event-bounds';

/** Bytes of a stream. */
export interface EventPlace {
  readonly from: number;
  readonly end: number;
}

/** One event of a server-sent stream. `error` is the field some servers write instead of an event. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  /** Where it stands; null when that was not asked for, and for one that the end of the stream cut off. */
  readonly place: EventPlace | null;
}

interface ReadingOptions {
  readonly onComment?: () => void;
  /** Told each line that is none of a stream. */
  readonly onStray?: (line: string) => void;
  /** Bytes of the stream before the first that is read; null to have no events' places. @default null */
  readonly offset?: number | null;
}

/** More than any event of a stream holds: what goes on without an end would fill the memory. */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024;

/** Raised for an event without an end. */
export class EndlessEvent extends Error {
  override readonly name = 'EndlessEvent';

  constructor(readonly sample: string) {
    super('an event of the stream has no end');
  }
}

/**
 * The events of a byte stream by the rules of the HTML standard, those of each piece of bytes together: lines end in LF,
 * CR or CRLF, characters and lines may be cut anywhere, comments are only told of. An event that the end of the stream
 * cuts off is given too, as it is. Leaving the loop cancels the stream. Throws `EndlessEvent`.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  { onComment, onStray, offset = null }: ReadingOptions = {},
): AsyncGenerator<readonly StreamEvent[], void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const bounds = offset === null ? null : new EventBounds(offset);
  const parser = new EventParser(bounds, onComment, onStray);
  let ended = false;
  try {
    while (!ended) {
      const { done, value } = await reader.read();
      ended = done;
      if (value) bounds?.push(value);
      yield parser.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      parser.throwIfEndless();
    }
    yield parser.end();
  } finally {
    if (!ended) void reader.cancel().catch(() => undefined);
  }
}

/** Whether a text begins as a stream of events does. */
export function isEventText(text: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(text);
}

export class EventParser {
  #rest = '';
  #name = '';
  #data: string | null = null;
  #characters = 0;
  #blankLines = 0;
  readonly #bounds: EventBounds | null;
  readonly #onComment: (() => void) | undefined;
  readonly #onStray: ((line: string) => void) | undefined;

  constructor(bounds: EventBounds | null, onComment?: () => void, onStray?: (line: string) => void) {
    this.#bounds = bounds;
    this.#onComment = onComment;
    this.#onStray = onStray;
  }

  push(text: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    const buffer = this.#rest + text;
    let start = 0;
    let lf = buffer.indexOf('\n');
    let cr = buffer.indexOf('\r');
    while (lf >= 0 || cr >= 0) {
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const end = isCr ? cr : lf;
      // A CR at the very end may be half of a CRLF.
      if (isCr && end === buffer.length - 1) break;
      const event = this.#line(buffer.slice(start, end));
      start = isCr && lf === end + 1 ? end + 2 : end + 1;
      if (lf >= 0 && lf < start) lf = buffer.indexOf('\n', start);
      if (cr >= 0 && cr < start) cr = buffer.indexOf('\r', start);
      if (event) events.push(event);
    }
    this.#rest = buffer.slice(start);
    return events;
  }

  throwIfEndless(): void {
    if (this.#rest.length + this.#characters > MAX_EVENT_CHARACTERS) {
      throw new EndlessEvent((this.#data ?? this.#rest).slice(0, 100));
    }
  }

  end(): StreamEvent[] {
    const last = this.#line(this.#rest.replace(/\r$/, ''));
    this.#rest = '';
    return [last, this.#dispatch(null)].filter((event) => event !== null);
  }

  #line(line: string): StreamEvent | null {
    if (line === '') {
      this.#blankLines += 1;
      return this.#dispatch(this.#bounds);
    }
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.#onComment?.();
      return null;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    this.#characters += value.length;
    if (field === 'data') this.#add(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'error') {
      this.#name = 'error';
      this.#add(value);
    } else if (field !== 'id' && field !== 'retry') this.#onStray?.(line);
    return null;
  }

  #add(value: string): void {
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
  }

  #dispatch(bounds: EventBounds | null): StreamEvent | null {
    const place = bounds && this.#data !== null ? bounds.of(this.#blankLines) : null;
    const event = this.#data === null ? null : { name: this.#name, data: this.#data, place };
    this.#name = '';
    this.#data = null;
    this.#characters = 0;
    return event;
  }
}
