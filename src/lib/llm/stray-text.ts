const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * The lines of a body that are none of a stream. Some servers and proxies send a whole answer, an error or a page as a
 * stream, or say nothing of what it is.
 */
export class StrayText {
  readonly #lines: string[] = [];
  #characters = 0;

  add(line: string): void {
    this.#characters += line.length;
    if (this.#characters <= MAX_CHARACTERS) this.#lines.push(line);
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** Looks like JSON or markup from its beginning. */
  get isWhole(): boolean {
    return /^\s*[{["<]/.test(this.#lines[0] ?? '') && this.#characters <= MAX_CHARACTERS;
  }
}
