/** A line put together from pieces. Knows how it ends without being joined for each of them. */
export class LineText {
  readonly #pieces: string[] = [];

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get endsInSpace(): boolean {
    return this.#pieces.at(-1)?.endsWith(' ') ?? false;
  }

  add(piece: string): void {
    if (piece !== '') this.#pieces.push(piece);
  }

  text(): string {
    return this.#pieces.join('');
  }
}
