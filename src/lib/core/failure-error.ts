import { failure, type Failure } from './failure';

/** An expected failure where no `Result` can be returned: out of an async iterable. Whoever iterates unwraps it. */
export class FailureError extends Error {
  override readonly name = 'FailureError';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** What a thrown error is told as: the failure it carries, else `unexpected` with its message. */
export function toFailure(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  return failure('unexpected', { message: error instanceof Error ? error.message : String(error) });
}
