import { liveQuery } from 'dexie';

export interface Live<T> {
  /** What the query last found; undefined before it has answered once. */
  readonly value: T | undefined;
  /** Why it cannot answer now; the last value stays, and it is asked again. */
  readonly error: Error | null;
}

const ASK_AGAIN_MS = 3_000;

/**
 * The rows a query finds, kept up to date with every commit of any tab. Call it while a component is set up; it closes
 * with the component. Dexie runs the query where runes are not tracked, so name those it depends on in `key`:
 * `live(() => database.tasks.get(id), () => id)`. A new key forgets the old value.
 */
export function live<T>(query: () => Promise<T> | T, key: () => unknown = () => null): Live<T> {
  let value = $state.raw<T | undefined>(undefined);
  let error = $state.raw<Error | null>(null);
  let round = $state(0);
  let shownKey: unknown = key();

  $effect(() => {
    const wanted = key();
    if (wanted !== shownKey) {
      shownKey = wanted;
      value = undefined;
    }
    void round;
    let again: ReturnType<typeof setTimeout> | undefined;
    const failed = (reason: unknown) => {
      error = reason instanceof Error ? reason : new Error(String(reason));
      again = setTimeout(() => (round += 1), ASK_AGAIN_MS);
    };
    // Without IndexedDB a live query never answers at all.
    if (!hasIndexedDb()) {
      error = new Error('IndexedDB is not available');
      return;
    }
    const subscription = liveQuery(query).subscribe({
      next: (found) => {
        value = found;
        error = null;
      },
      error: failed,
    });
    return () => {
      clearTimeout(again);
      subscription.unsubscribe();
    };
  });

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
  };
}

function hasIndexedDb(): boolean {
  try {
    return typeof indexedDB !== 'undefined' && indexedDB !== null;
  } catch {
    return false;
  }
}
