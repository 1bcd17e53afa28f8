import { failure, type Failure } from '../core/failure';
import { storageFailure } from '../storage/storage-failure';

/** What keeps the page from reading its database, for the person. */
class DatabaseTrouble {
  #failure = $state.raw<Failure | null>(null);

  /** Null while rows can be read. Codes: those of `storageFailure`. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** A question was answered. */
  gone(): void {
    this.#failure = null;
  }

  /** A question failed. A database that was closed a moment ago is opened again at the next one. */
  found(error: unknown): void {
    const found = storageFailure(error, 'use');
    if (found === null || found.code === 'storage_closed' || found.code === this.#failure?.code) return;
    this.#failure = found;
  }

  /** Another tab holds the database open in an older form. */
  blocked(): void {
    this.#failure = failure('storage_blocked');
  }
}

export const databaseTrouble = new DatabaseTrouble();
