import type { Begun, StreamPlace } from '../../core/partial';
import type { EventPlace } from '../sse';

/** How one stream of an answer begins. */
export interface Start {
  readonly how: 'asked' | 'reattached' | 'continued';
  /** What is known of the answer when the stream begins; its text goes on behind it. */
  readonly kept: Begun;
  /** Bytes that a stream which is taken up again held when it was found. */
  readonly foundBytes: number;
  /** Text that was had of the very stream before: it comes again, or it is another stream. @default nothing is known */
  readonly comesAgain?: string;
}

export const NOTHING_BEGUN: Begun = { content: '', reasoning: '', tokens: 0, served: null, stream: null };
export const FROM_NOTHING: Start = { how: 'asked', kept: NOTHING_BEGUN, foundBytes: 0 };

/** A piece as long as this is more than one token: servers that send token by token send shorter ones. */
const LONG_PIECE = 12;

/** What has come in of an answer, ready to be gone on with from wherever it is interrupted. */
export class Gathered {
  readonly #estimateTokens: (text: string) => number;
  readonly #foundBytes: number;
  #content: string;
  #reasoning: string;
  #tokens: number;
  #served: string | null;
  #stream: StreamPlace | null;
  #foundTokens: number;

  constructor({ kept, foundBytes }: Start, estimateTokens: (text: string) => number) {
    this.#estimateTokens = estimateTokens;
    this.#foundBytes = foundBytes;
    this.#foundTokens = kept.tokens;
    this.#content = kept.content;
    this.#reasoning = kept.reasoning;
    this.#tokens = kept.tokens;
    this.#served = kept.served;
    this.#stream = kept.stream;
  }

  get begun(): Begun {
    return {
      content: this.#content,
      reasoning: this.#reasoning,
      tokens: this.#tokens,
      served: this.#served,
      stream: this.#stream,
    };
  }

  /** All that the model wrote, thinking in the text included. */
  get content(): string {
    return this.#content;
  }

  /** Tokens that were there when the stream was found: what came after them was waited for like any other answer. */
  get foundTokens(): number {
    return this.#foundTokens;
  }

  /** Takes what one event brought. `place` is where it stands, in a stream that the server keeps. */
  take(piece: { content: string; reasoning: string; served: string | null }, data: string, place: EventPlace | null) {
    const fresh = this.#tokensOf(piece.content) + this.#tokensOf(piece.reasoning);
    if (place !== null && place.end <= this.#foundBytes) this.#foundTokens += fresh;
    this.#content += piece.content;
    this.#reasoning += piece.reasoning;
    this.#tokens += fresh;
    this.#served ??= piece.served;
    if (this.#stream && place) this.#stream = movedTo(this.#stream, data, place);
  }

  #tokensOf(piece: string): number {
    if (piece === '') return 0;
    return piece.length < LONG_PIECE ? 1 : Math.max(1, this.#estimateTokens(piece));
  }
}

function movedTo(stream: StreamPlace, data: string, { from, end }: EventPlace): StreamPlace {
  return { ...stream, offset: end, last: { from, data } };
}
