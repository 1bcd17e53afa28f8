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
  const openDatabase = IDBFactory.prototype.open.bind(indexedDB);
  IDBFactory.prototype.open = (name, version) => {
    const opening = version === undefined ? openDatabase(name) : openDatabase(name, version);
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

  // Not in the middle of a transaction: whoever stands still there keeps the database from everybody.
  let open = 0;
  const { prototype } = IDBDatabase;
  const begin = Reflect.get(prototype, 'transaction') as (...given: unknown[]) => IDBTransaction;
  Reflect.set(prototype, 'transaction', function (this: IDBDatabase, ...given: unknown[]) {
    const transaction = Reflect.apply(begin, this, given);
    open += 1;
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => (open -= 1));
    return transaction;
  });
  const standStill = () => {
    if (open > 0) setTimeout(standStill);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  new BroadcastChannel(FREEZE).onmessage = ({ data }) => {
    if (data === owner) standStill();
  };
}
