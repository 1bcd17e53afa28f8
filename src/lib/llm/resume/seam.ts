import type { Start } from './gathered';

/** As many characters that are the same are no coincidence. */
const SAME_CHARACTERS = 32;

/** What is wrong with a stream that should go on with an answer. */
export type SeamFault = 'restarted' | 'other_model' | 'other_stream';

/** Whether a stream begins right behind text that another stream brought, be it asked for now or found again. */
function isAtSeam({ how, kept }: Start): boolean {
  return how === 'continued' || (how === 'reattached' && kept.content !== '' && kept.stream?.last === null);
}

/**
 * Watches the place where an answer is gone on with. Text is held back while it could as well be the answer begun anew:
 * the two are never put behind one another.
 */
export class Seam {
  readonly #start: Start;
  readonly #opening: string;
  #held = '';
  #isSure: boolean;
  #expects: string | null;
  /** What is still to come again of the text that was had. */
  #again: string;

  constructor(start: Start) {
    this.#start = start;
    this.#opening = start.kept.content.trimStart().slice(0, SAME_CHARACTERS);
    this.#isSure = !isAtSeam(start);
    this.#expects = start.how === 'reattached' && start.kept.stream ? (start.kept.stream.last?.data ?? null) : null;
    this.#again = start.comesAgain ?? '';
  }

  /** The first event of a stream that is taken up must be the last one that was read. True: it is, and was had before. */
  isKnown(data: string): boolean | SeamFault {
    if (this.#expects === null) return false;
    const isSame = data === this.#expects;
    this.#expects = null;
    return isSame || 'other_stream';
  }

  /** Text that could as well be the answer begun anew is held back. */
  get isHolding(): boolean {
    return this.#held !== '';
  }

  /** What may be put behind the kept text now, after `content` came. */
  pass(content: string, served: string | null): { readonly text: string } | { readonly fault: SeamFault } {
    const { kept, how } = this.#start;
    const isOther = served !== null && kept.served !== null && served !== kept.served;
    if (isOther && how !== 'asked') return { fault: 'other_model' };
    const again = this.#again.slice(0, content.length);
    if (!content.startsWith(again)) return { fault: 'other_stream' };
    this.#again = this.#again.slice(again.length);
    if (this.#isSure) return { text: content };
    this.#held += content;
    const fresh = this.#held.trimStart();
    if (fresh.startsWith(this.#opening)) return { fault: 'restarted' };
    return { text: this.#opening.startsWith(fresh) ? '' : this.release() };
  }

  /** The answer ends here: what was held back is the rest of it. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    this.#isSure = true;
    return held;
  }
}
