import { CLOSE_CALL, OPEN_CALL } from './hermes-tags';

/** What a character did to a call under way. */
export type CallStep = 'goes_on' | 'ended' | 'opened_again';

/**
 * The text after an opening tag, up to the closing one that stands in no string. A call written in another form than JSON
 * has no strings. A second opening tag shows that the first call was never closed, or only spoken of.
 */
export class OpenCall {
  #body = '';
  #form: 'unknown' | 'json' | 'other' = 'unknown';
  #quote = '';
  #isEscaped = false;
  /** The end of the body, by itself: looking at a long text that grows copies it. */
  #tail = '';

  /** What came after the opening tag, the closing one left out. */
  get body(): string {
    return this.#body;
  }

  /** Words between two tags, or after one: the tags are spoken of. */
  get isMention(): boolean {
    return this.#form === 'other' && !/[{(=<]/.test(this.#body);
  }

  take(char: string): CallStep {
    this.#body += char;
    this.#tail = (this.#tail + char).slice(-CLOSE_CALL.length);
    if (this.#form === 'unknown') this.#findForm();
    else if (this.#form === 'json' && this.#isInString(char)) return 'goes_on';
    if (char !== '>') return 'goes_on';
    if (this.#dropEnd(CLOSE_CALL)) return 'ended';
    return this.#dropEnd(OPEN_CALL) ? 'opened_again' : 'goes_on';
  }

  /** Leaves out what came of a closing tag that the answer ended in. */
  endOfAnswer(): void {
    if (this.#quote !== '') return;
    const from = this.#body.lastIndexOf('<');
    if (from >= 0 && CLOSE_CALL.startsWith(this.#body.slice(from))) this.#body = this.#body.slice(0, from);
  }

  #dropEnd(tag: string): boolean {
    const isThere = this.#tail.toLowerCase().endsWith(tag);
    if (isThere) this.#body = this.#body.slice(0, -tag.length);
    return isThere;
  }

  #findForm(): void {
    const start = this.#body.trimStart().toLowerCase();
    if (start === OPEN_CALL) {
      this.#body = '';
      this.#tail = '';
    } else if (start !== '' && !OPEN_CALL.startsWith(start) && !CLOSE_CALL.startsWith(start)) {
      this.#form = /^[{[`]/.test(start) ? 'json' : 'other';
    }
  }

  #isInString(char: string): boolean {
    if (this.#quote === '') {
      if (char === '"' || char === "'") this.#quote = char;
    } else if (this.#isEscaped) this.#isEscaped = false;
    else if (char === '\\') this.#isEscaped = true;
    else if (char === this.#quote) this.#quote = '';
    return this.#quote !== '';
  }
}
