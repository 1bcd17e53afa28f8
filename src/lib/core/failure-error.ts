import type { Failure } from './failure';

/** An expected failure where no `Result` can be returned: out of an async iterable. Whoever iterates unwraps it. */
export class FailureError extends Error {
  override readonly name = 'FailureError';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
