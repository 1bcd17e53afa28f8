import { FailureError } from '../../core/failure-error';
import { fail, type Result } from '../../core/result';
import { storageFailure } from '../storage-failure';

/** What the browser's file system throws means the same as what its database throws. Bugs are thrown on. */
export async function guarded<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const found = error instanceof FailureError ? error.failure : storageFailure(error, 'use');
    if (found === null) throw error;
    return fail(found);
  }
}
