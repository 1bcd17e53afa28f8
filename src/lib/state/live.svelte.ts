import { liveQuery } from 'dexie';
import { onClosed } from './database-closings';
import { databaseTrouble } from './database-trouble.svelte';

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
    // Without IndexedDB a live query never answers at all.
    if (!hasIndexedDb()) {
      error = new Error('IndexedDB is not available');
      return;
    }
    let again: ReturnType<typeof setTimeout> | undefined;
    const stopListening = onClosed(() => {
      clearTimeout(again);
      // In a turn of its own: the database is still being closed.
      again = setTimeout(() => (round += 1));
    });
    const subscription = liveQuery(() => settle(query)).subscribe((outcome) => {
      clearTimeout(again);
      if ('value' in outcome) {
        value = outcome.value;
        error = null;
        databaseTrouble.gone();
        return;
      }
      databaseTrouble.found(outcome.reason);
      error = outcome.reason instanceof Error ? outcome.reason : new Error(String(outcome.reason));
      again = setTimeout(() => (round += 1), ASK_AGAIN_MS);
    });
    return () => {
      stopListening();
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

/** Dexie tells its observers nothing of a closed database and lets what a query throws at once escape. */
async function settle<T>(query: () => Promise<T> | T): Promise<{ value: T } | { reason: unknown }> {
  try {
    return { value: await query() };
  } catch (reason) {
    return { reason };
  }
}

function hasIndexedDb(): boolean {
  try {
    return typeof indexedDB !== 'undefined' && indexedDB !== null;
  } catch {
    return false;
  }
}
