import code from './journaled-store.worker.ts?bundled';

const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));

/** The app's stores in a thread of their own, on the database and the folder called `name`. */
export function journaledWorker(name: string): Worker {
  return new Worker(url, { type: 'module', name });
}
