/** Of all rows offered, the first `limit` in path order. */
export class FirstRows<Row extends { readonly path: string }> {
  readonly #limit: number;
  #rows: Row[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(row: Row): void {
    const last = this.#rows.at(-1);
    if (last && this.#rows.length >= this.#limit && row.path >= last.path) return;
    this.#rows.splice(this.#placeOf(row.path), 0, row);
    if (this.#rows.length > this.#limit) this.#rows.pop();
  }

  inOrder(): readonly Row[] {
    return [...this.#rows];
  }

  #placeOf(path: string): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle]?.path ?? '') < path) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
