/** Running text put together from pieces of markup: white space collapsed as a browser does, breaks only where asked. */
export class TextFlow {
  #lines: string[] = [];
  #line = '';
  #preDepth = 0;

  add(text: string): void {
    if (this.#preDepth > 0) {
      const [first = '', ...rest] = text.split('\n');
      this.#line += first;
      for (const line of rest) {
        this.#lines.push(this.#line.trimEnd());
        this.#line = line;
      }
      return;
    }
    const isMark = this.#line === '' && /^ *(- |\d+\. |#+ )$/.test(text);
    if (isMark) this.#line = text;
    else {
      const collapsed = text.replace(/[\s\u00a0]+/g, ' ');
      this.#line += this.#line === '' || this.#line.endsWith(' ') ? collapsed.trimStart() : collapsed;
    }
  }

  breakLine(): void {
    const line = this.#line.trimEnd();
    if (line !== '' || this.#preDepth > 0) this.#lines.push(line);
    this.#line = '';
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
}
