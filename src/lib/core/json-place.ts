const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export interface TextPlace {
  /** Both count from 1; the column in characters as they are seen. */
  readonly line: number;
  readonly column: number;
  /** What stands there; empty at the end of the text. */
  readonly found: string;
}

/** Where a text stops to be JSON; null where it is JSON. Browsers word that in ways that cannot be told on. */
export function jsonErrorPlace(text: string): TextPlace | null {
  const scan = new JsonScan(text);
  if (scan.value() && scan.isAtEnd()) return null;
  const before = text.slice(0, scan.at).split('\n');
  return {
    line: before.length,
    column: Array.from(before.at(-1) ?? '').length + 1,
    found: Array.from(text.slice(scan.at, scan.at + 2))[0] ?? '',
  };
}

/** Stays where the text is no JSON any more. */
class JsonScan {
  at = 0;

  constructor(readonly text: string) {}

  isAtEnd(): boolean {
    this.#skip(SPACE);
    return this.at === this.text.length;
  }

  value(): boolean {
    this.#skip(SPACE);
    if (this.#sign('{')) return this.#list('}', () => this.#member());
    if (this.#sign('[')) return this.#list(']', () => this.value());
    return this.#skip(STRING) || this.#skip(SCALAR);
  }

  #member(): boolean {
    this.#skip(SPACE);
    if (!this.#skip(STRING)) return false;
    this.#skip(SPACE);
    return this.#sign(':') && this.value();
  }

  #list(end: string, item: () => boolean): boolean {
    this.#skip(SPACE);
    if (this.#sign(end)) return true;
    for (;;) {
      if (!item()) return false;
      this.#skip(SPACE);
      if (this.#sign(end)) return true;
      if (!this.#sign(',')) return false;
    }
  }

  #sign(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found !== undefined;
  }
}
