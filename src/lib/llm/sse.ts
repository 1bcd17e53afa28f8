import { EventBounds } from './resume/event-bounds';

/** One event of a server-sent stream. `error` is the field some servers write instead of an event. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Bytes of a stream. */
export interface EventPlace {
  readonly from: number;
  readonly end: number;
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
 * cuts off is given too, as it is. Leaving the loop cancels the stream. Throws `EndlessEvent`. `onPlace` is told the
 * bytes at which a whole event begins and ends, just before it is given; `onStray` each line that is none of a stream.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  onComment?: () => void,
  onPlace?: (place: EventPlace) => void,
  offset = 0,
  onStray?: (line: string) => void,
): AsyncGenerator<Iterable<StreamEvent>, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser(onComment, onStray);
  const bounds = onPlace ? new EventBounds(offset) : null;
  const placed = function* (events: Iterable<StreamEvent>) {
    for (const event of events) {
      if (bounds) onPlace?.(bounds.of(parser.blankLines));
      yield event;
    }
  };
  let ended = false;
  try {
    while (!ended) {
      const { done, value } = await reader.read();
      ended = done;
      if (value) bounds?.push(value);
      const events = parser.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      yield bounds ? placed(events) : events;
    }
    yield parser.end();
  } finally {
    if (!ended) void reader.cancel().catch(() => undefined);
  }
}

export class EventParser {
  #rest = '';
  #name = '';
  #data: string | null = null;
  #characters = 0;
  #blankLines = 0;
  readonly #onComment: (() => void) | undefined;
  readonly #onStray: ((line: string) => void) | undefined;

  constructor(onComment?: () => void, onStray?: (line: string) => void) {
    this.#onComment = onComment;
    this.#onStray = onStray;
  }

  /** Told so far. */
  get blankLines(): number {
    return this.#blankLines;
  }

  *push(text: string): Generator<StreamEvent, void, undefined> {
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
      if (event) yield event;
    }
    this.#rest = buffer.slice(start);
    if (this.#rest.length + this.#characters > MAX_EVENT_CHARACTERS) {
      throw new EndlessEvent((this.#data ?? this.#rest).slice(0, 100));
    }
  }

  *end(): Generator<StreamEvent, void, undefined> {
    const last = this.#line(this.#rest.replace(/\r$/, ''));
    this.#rest = '';
    if (last) yield last;
    const cut = this.#line('');
    if (cut) yield cut;
  }

  #line(line: string): StreamEvent | null {
    if (line === '') {
      this.#blankLines += 1;
      return this.#dispatch();
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

  #dispatch(): StreamEvent | null {
    const event = this.#data === null ? null : { name: this.#name, data: this.#data };
    this.#name = '';
    this.#data = null;
    this.#characters = 0;
    return event;
  }
}
