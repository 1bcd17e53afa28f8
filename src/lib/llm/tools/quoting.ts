const OPENING_FENCE = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^[\s>]*(`{3,}|~{3,})\s*$/;
const BLOCK_QUOTE = /^\s*>/;
const OPENING_MARKS = '“„「『«';
const CLOSING_MARKS = '”」』»';
/** Marks that are no sign by themselves, as in "it's", but right before a tag. */
const TOUCHING_MARKS = /["'‘“„「『«‹《(（]$/;

/**
 * Follows a text character by character and knows whether what comes next is quoted: in code, in a block quote, or between
 * marks that opened in this paragraph. In doubt it is: what is taken for quoted can be asked for again, what was run cannot
 * be taken back.
 */
export class Quoting {
  #line = '';
  #fence: string | null = null;
  /** Length of the run of backticks that opened code in this line, and of the run that is being read. */
  #code = 0;
  #run = 0;
  #marks = 0;
  #isDoubleOpen = false;
  #opensInCode = 0;

  get isCode(): boolean {
    return this.#fence !== null || this.#codeNow() > 0;
  }

  get isQuoted(): boolean {
    if (this.isCode || this.#isDoubleOpen || this.#marks > 0) return true;
    return BLOCK_QUOTE.test(this.#line) || TOUCHING_MARKS.test(this.#line);
  }

  /**
   * Takes a tag of thinking that comes next. Whether it is a mention: it stands in code, and a closing one belongs to an
   * opening one there. Thinking that the prompt opened may end within code that it never closed.
   */
  takeMention(isOpening: boolean): boolean {
    if (!this.isCode || (!isOpening && this.#opensInCode === 0)) return false;
    this.#opensInCode += isOpening ? 1 : -1;
    return true;
  }

  push(char: string): void {
    if (char === '\n') return this.#endLine();
    this.#line += char;
    if (this.#fence !== null) return;
    if (char === '`') {
      this.#run += 1;
      return;
    }
    this.#code = this.#codeNow();
    this.#run = 0;
    if (this.#code > 0) return;
    if (char === '"') this.#isDoubleOpen = !this.#isDoubleOpen;
    if (OPENING_MARKS.includes(char)) this.#marks += 1;
    if (CLOSING_MARKS.includes(char)) this.#marks = Math.max(0, this.#marks - 1);
  }

  #codeNow(): number {
    if (this.#run === 0) return this.#code;
    if (this.#code === 0) return this.#run;
    return this.#code === this.#run ? 0 : this.#code;
  }

  #endLine(): void {
    if (this.#fence === null) this.#fence = OPENING_FENCE.exec(this.#line)?.[1] ?? null;
    else {
      const closing = CLOSING_FENCE.exec(this.#line)?.[1];
      if (closing?.startsWith(this.#fence)) this.#fence = null;
    }
    if (this.#line.trim() === '') {
      this.#isDoubleOpen = false;
      this.#marks = 0;
    }
    this.#line = '';
    this.#code = 0;
    this.#run = 0;
  }
}
