import { LineText } from './line-text';

/** Running text put together from pieces of markup: white space collapsed as a browser does, breaks only where asked. */
export class TextFlow {
  #lines: string[] = [];
  #line = new LineText();
  #preDepth = 0;

  add(text: string): void {
    if (this.#preDepth > 0) {
      const [first = '', ...rest] = text.split('\n');
      this.#line.add(first);
      for (const line of rest) {
        this.#lines.push(this.#take());
        this.#line.add(line);
      }
      return;
    }
    const isMark = this.#line.isEmpty && /^ *(- |\d+\. |#+ )$/.test(text);
    if (isMark) this.#line.add(text);
    else {
      const collapsed = text.replace(/[\s\u00a0]+/g, ' ');
      this.#line.add(this.#line.isEmpty || this.#line.endsInSpace ? collapsed.trimStart() : collapsed);
    }
  }

  breakLine(): void {
    const line = this.#take();
    if (line !== '' || this.#preDepth > 0) this.#lines.push(line);
  }

  breakBlock(): void {
    this.breakLine();
    if (this.#lines.at(-1) !== '') this.#lines.push('');
  }

  enterPre(): void {
    this.#preDepth += 1;
  }

  leavePre(): void {
    this.breakLine();
    this.#preDepth -= 1;
  }

  text(): string {
    this.breakLine();
    return this.#lines.join('\n').replace(/^\n+|\s+$/g, '');
  }

  #take(): string {
    const line = this.#line.text().trimEnd();
    this.#line = new LineText();
    return line;
  }
}
