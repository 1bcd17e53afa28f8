import type { JsonValue } from '../../core/json-value';

/** What stands at a place of a text. */
export type LiteralRead =
  | { readonly read: 'whole'; readonly value: JsonValue; readonly end: number }
  /** The text ends in the middle. `closed` is what it says when the last brace is all that is missing, else null. */
  | { readonly read: 'cut'; readonly closed: JsonValue | null }
  | { readonly read: 'malformed' };

const MAX_DEPTH = 100;
const WORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '/': '/',
  '\\': '\\',
  '"': '"',
  "'": "'",
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
/** Escapes that mean something else in one language than in the other, or nothing that can be said in JSON. */
const REFUSED_ESCAPE = /[\dNav\s]/;

class Cut extends Error {
  constructor(readonly closed: JsonValue | null) {
    super('the text ends in the middle');
  }
}
class Malformed extends Error {}

/**
 * Reads one value at `start`: JSON, also with raw control characters in its strings, or the literal of a Python dict, list,
 * text, number or constant. Nothing is ever evaluated: sets, bytes, tuples, prefixed and joined texts are malformed.
 */
export function readLiteral(text: string, start: number): LiteralRead {
  const reader = new Reader(text, start);
  try {
    return { read: 'whole', value: reader.value(0), end: reader.at };
  } catch (error) {
    if (error instanceof Cut) return { read: 'cut', closed: error.closed };
    if (error instanceof Malformed) return { read: 'malformed' };
    throw error;
  }
}

class Reader {
  constructor(
    readonly text: string,
    public at: number,
  ) {}

  value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw new Malformed();
    const char = this.#peek();
    if (char === '{') return this.#object(depth + 1);
    if (char === '[') return this.#list(depth + 1);
    if (char === '"' || char === "'") return this.#string(char);
    return this.#word();
  }

  #object(depth: number): JsonValue {
    const fields: [string, JsonValue][] = [];
    this.at += 1;
    let last: JsonValue = null;
    for (;;) {
      if (this.#peek() === '}') break;
      fields.push([this.#key(), (last = this.value(depth))]);
      // A number at the very end may go on.
      const closed = depth === 1 && typeof last !== 'number' ? Object.fromEntries(fields) : null;
      if (this.#peek(closed) !== ',') break;
      this.at += 1;
    }
    this.#take('}');
    return Object.fromEntries(fields);
  }

  #key(): string {
    const quote = this.#peek();
    if (quote !== '"' && quote !== "'") throw new Malformed();
    const key = this.#string(quote);
    this.#peek();
    this.#take(':');
    return key;
  }

  #list(depth: number): JsonValue {
    const values: JsonValue[] = [];
    this.at += 1;
    for (;;) {
      if (this.#peek() === ']') break;
      values.push(this.value(depth));
      if (this.#peek() !== ',') break;
      this.at += 1;
    }
    this.#take(']');
    return values;
  }

  #string(quote: string): string {
    const plain = quote === '"' ? /[^"\\]*/y : /[^'\\]*/y;
    let value = '';
    this.at += 1;
    for (;;) {
      value += this.#match(plain);
      const char = this.#char();
      this.at += 1;
      if (char === quote) return value;
      value += this.#escape();
    }
  }

  #escape(): string {
    const char = this.#char();
    this.at += 1;
    const digits = HEX_DIGITS[char];
    if (digits !== undefined) return this.#codePoint(digits);
    if (REFUSED_ESCAPE.test(char)) throw new Malformed();
    // What is no escape in either language is what it looks like: a pattern such as \d.
    return ESCAPES[char] ?? `\\${char}`;
  }

  #codePoint(digits: number): string {
    const hex = this.text.slice(this.at, this.at + digits);
    if (!/^[\da-fA-F]*$/.test(hex)) throw new Malformed();
    if (hex.length < digits) throw new Cut(null);
    const point = Number.parseInt(hex, 16);
    if (point > 0x10ffff) throw new Malformed();
    this.at += digits;
    return String.fromCodePoint(point);
  }

  #word(): JsonValue {
    const word = this.#match(/[-+.\w]*/y);
    if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
    const number = Number(word);
    if (NUMBER.test(word) && Number.isFinite(number)) return number;
    if (word !== '' && this.at === this.text.length) throw new Cut(null);
    throw new Malformed();
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  /** The next character that is no space, which stays; a text that ends here is cut. */
  #peek(closed: JsonValue | null = null): string {
    this.#match(/\s*/y);
    return this.#char(closed);
  }

  #char(closed: JsonValue | null = null): string {
    const char = this.text[this.at];
    if (char === undefined) throw new Cut(closed);
    return char;
  }

  #take(char: string): void {
    if (this.#char() !== char) throw new Malformed();
    this.at += 1;
  }
}
