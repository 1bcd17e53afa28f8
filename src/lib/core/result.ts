import type { Failure } from './failure';

/** What a port returns where failing is expected. Bugs throw; an abort is `AbortError`, never a failure. */
export type Result<T, F = Failure> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F };

export function ok(): Result<void, never>;
export function ok<T>(value: T): Result<T, never>;
export function ok<T>(value?: T): Result<T | undefined, never> {
  return { ok: true, value };
}

export function fail<F>(failure: F): Result<never, F> {
  return { ok: false, failure };
}

/** All values in order, or the first failure. */
export function allOk<T>(results: readonly Result<T>[]): Result<readonly T[]> {
  const values: T[] = [];
  for (const result of results) {
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
}

/** True for the exception that an aborted signal raises anywhere on the platform. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
