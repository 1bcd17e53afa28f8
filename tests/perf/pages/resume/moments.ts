/**
 * Imported before the worker's own code, in the worker: tells the page when the database was first open and when each
 * request to a model left, and stands still for ever when it is told to.
 */
export interface Moment {
  readonly owner: string;
  readonly what: 'born' | 'opened' | 'requested';
  /** Unix milliseconds with fractions, the same clock in every worker of the browser. */
  readonly atMs: number;
}

export const MOMENTS = 'bench-moments';
export const FREEZE = 'bench-freeze';

const nowMs = () => performance.timeOrigin + performance.now();
const isWorker = typeof document === 'undefined';

if (isWorker) {
  const channel = new BroadcastChannel(MOMENTS);
  const owner = self.name;
  const tell = (what: Moment['what']) => channel.postMessage({ owner, what, atMs: nowMs() } satisfies Moment);
  tell('born');

  let hasOpened = false;
  const open = IDBFactory.prototype.open.bind(indexedDB);
  IDBFactory.prototype.open = (name, version) => {
    const opening = version === undefined ? open(name) : open(name, version);
    opening.addEventListener('success', () => {
      if (!hasOpened && name === 'talaria') tell('opened');
      hasOpened ||= name === 'talaria';
    });
    return opening;
  };

  const fetched = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith('/chat/completions')) tell('requested');
    return fetched(input, init);
  };

  new BroadcastChannel(FREEZE).onmessage = ({ data }) => {
    if (data === owner) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}
