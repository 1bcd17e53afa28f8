import type { Failure } from '../core/failure';

/** That the server asked a request of a try to wait: those of the same try that have not gone out need not go any more. */
export class Refusal {
  readonly #told = new AbortController();
  #why: Failure | null = null;

  get why(): Failure | null {
    return this.#why;
  }

  get signal(): AbortSignal {
    return this.#told.signal;
  }

  tell(why: Failure): void {
    this.#why ??= why;
    this.#told.abort();
  }
}
