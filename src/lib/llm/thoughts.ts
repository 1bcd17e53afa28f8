import { MAX_THINKING_CHARACTERS } from '../core/model';

/** What a model thought, from all places where it comes, kept up to a limit. */
export class Thoughts {
  #text = '';

  /** Null when there is nothing to read in it. */
  get text(): string | null {
    const text = this.#text.trim();
    return text === '' ? null : text;
  }

  add(piece: string): void {
    if (this.#text.length < MAX_THINKING_CHARACTERS) {
      this.#text = (this.#text + piece).slice(0, MAX_THINKING_CHARACTERS);
    }
  }

  /** A thought of its own, apart from what came before. */
  addBlock(block: string): void {
    const text = block.trim();
    if (text !== '') this.add(this.#text === '' ? text : `\n\n${text}`);
  }
}
