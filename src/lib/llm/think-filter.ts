import { Quoting } from './tools/quoting';

const TAGS = ['<think>', '<thinking>', '</think>', '</thinking>'];
const OPENING = /^<think(?:ing)?>/i;
const CLOSING = /<\/think(?:ing)?>/i;
const LONGEST_TAG = '</thinking>'.length;

/**
 * Takes the model's thinking out of its text, however the text is cut into pieces. Thinking is a `<think>` block, and
 * everything before a lone `</think>` on a line of its own (some templates open the block in the prompt). A `<think>`
 * in the middle of the text that never closes is a mention and stays, once the text has ended by itself; so do both tags
 * where they stand in code.
 */
export class ThinkFilter {
  /** Without white space at its beginning: to take that away from the whole at each piece would read all of it again. */
  #visible = '';
  #pending = '';
  /** Text since the opening tag, tag included; null outside of thinking. */
  #thinking: string[] | null = null;
  #tail = '';
  #quoting = new Quoting();
  /** Characters of the visible text that the quoting has seen: it is asked at tags only. */
  #quotedTo = 0;
  readonly #onThought: (thought: string) => void;

  /** `onThought` gets each block of thinking once it is known for one, without its tags. */
  constructor(onThought: (thought: string) => void = () => undefined) {
    this.#onThought = onThought;
  }

  /** What may be shown so far. */
  get text(): string {
    return this.#visible;
  }

  push(piece: string): void {
    // Done once a token, and nearly none of them has a tag in it.
    if (this.#thinking === null && this.#pending === '' && !piece.includes('<')) {
      this.#show(piece);
      return;
    }
    this.#pending += piece;
    this.#advance(false);
  }

  /** The visible text, trimmed. `whole` is false when the model was cut off. */
  end(whole: boolean): string {
    this.#advance(true);
    if (this.#thinking !== null) {
      if (whole && this.#visible !== '') this.#visible += this.#thinking.join('');
      else this.#onThought(untagged(this.#thinking.join('')));
    }
    this.#thinking = null;
    return this.#visible.trim();
  }

  #advance(ended: boolean): void {
    let moved = true;
    while (moved && this.#pending !== '') {
      moved = this.#thinking === null ? this.#takeText(ended) : this.#takeThinking(this.#thinking);
    }
  }

  #takeThinking(thinking: string[]): boolean {
    const searched = this.#tail + this.#pending;
    const close = CLOSING.exec(searched);
    if (close === null) {
      thinking.push(this.#pending);
      this.#tail = searched.slice(-LONGEST_TAG);
      this.#pending = '';
      return false;
    }
    const before = this.#tail.length;
    thinking.push(this.#pending.slice(0, Math.max(0, close.index - before)));
    const thought = thinking.join('');
    // Of a tag that was cut the first piece is among the thoughts already.
    this.#onThought(untagged(close.index < before ? thought.slice(0, close.index - before) : thought));
    this.#thinking = null;
    this.#pending = searched.slice(close.index + close[0].length);
    return true;
  }

  #takeText(ended: boolean): boolean {
    const at = this.#pending.indexOf('<');
    this.#show(at < 0 ? this.#pending : this.#pending.slice(0, at));
    this.#pending = at < 0 ? '' : this.#pending.slice(at);
    if (this.#pending === '') return false;
    const open = OPENING.exec(this.#pending)?.[0];
    const close = open === undefined ? CLOSING.exec(this.#pending) : null;
    if ((open !== undefined || close?.index === 0) && this.#isMention(open !== undefined)) return this.#takeSign();
    if (open !== undefined) {
      this.#thinking = [open];
      this.#tail = '';
      this.#pending = this.#pending.slice(open.length);
      return true;
    }
    if (close?.index === 0) return this.#takeLoneClose(close[0], ended);
    const head = this.#pending.toLowerCase();
    if (!ended && TAGS.some((tag) => tag.startsWith(head))) return false;
    return this.#takeSign();
  }

  /** The sign that is no tag's first. */
  #takeSign(): true {
    this.#show('<');
    this.#pending = this.#pending.slice(1);
    return true;
  }

  #isMention(isOpening: boolean): boolean {
    for (const char of this.#visible.slice(this.#quotedTo)) this.#quoting.push(char);
    this.#quotedTo = this.#visible.length;
    return this.#quoting.takeMention(isOpening);
  }

  #show(text: string): void {
    this.#visible += this.#visible === '' ? text.trimStart() : text;
  }

  #takeLoneClose(tag: string, ended: boolean): boolean {
    const after = this.#pending.slice(tag.length);
    if (!ended && /^[ \t]*$/.test(after)) return false;
    const isOwnLine = /(?:^|\n)[ \t]*$/.test(this.#visible.slice(-80)) && /^[ \t]*(?:[\r\n]|$)/.test(after);
    if (isOwnLine) {
      this.#onThought(this.#visible);
      this.#quoting = new Quoting();
      this.#quotedTo = 0;
    }
    this.#visible = isOwnLine ? '' : this.#visible + tag;
    this.#pending = after;
    return true;
  }
}

function untagged(block: string): string {
  return block.replace(OPENING, '');
}
