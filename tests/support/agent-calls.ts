import type { Page, Worker } from '@playwright/test';
import type { FaultOrder } from '../../src/lib/core/fault-points';

export type Fault = Omit<FaultOrder, 'taskId'>;

/** What a test may ask of the app's own worker, past the screen. */
interface Probe {
  /** By the message that the page would send; resolves to what the page would be answered. */
  ask(method: string, ...given: unknown[]): Promise<unknown>;
  rows(table: string): Promise<unknown[]>;
  /** From now on a worker that is asked to end stands still instead. Resolves when it was asked to. */
  standStillAtStop(): void;
  readonly stopped: Promise<void>;
}

/** Runs in the worker, by way of its debugger. */
function install(): void {
  if (Reflect.has(self, 'probe')) return;
  const post = self.postMessage.bind(self) as (message: unknown, transfer?: Transferable[]) => void;
  const waiting = new Map<string, (value: unknown) => void>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let stands = false;
  const hear = (message: { id?: string; value?: unknown; what?: string }, transfer?: Transferable[]) => {
    if (stands && message.what === 'talaria/stopped') return stop();
    const answer = message.id === undefined ? undefined : waiting.get(message.id);
    if (message.id === undefined || !answer) return post(message, transfer ?? []);
    waiting.delete(message.id);
    answer(message.value);
  };
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('the database said no'));
    });
  const probe: Probe = {
    ask: (method, ...given) =>
      new Promise((resolve) => {
        const id = crypto.randomUUID();
        waiting.set(id, resolve);
        const argumentList = given.map((value) => ({ type: 'RAW', value }));
        self.dispatchEvent(new MessageEvent('message', { data: { id, type: 'APPLY', path: [method], argumentList } }));
      }),
    rows: async (table) => {
      const database = await settled(indexedDB.open('talaria'));
      try {
        return await settled(database.transaction(table).objectStore(table).getAll() as IDBRequest<unknown[]>);
      } finally {
        database.close();
      }
    },
    standStillAtStop: () => {
      stands = true;
      Object.assign(self, { close: () => undefined });
    },
    stopped,
  };
  Object.assign(self, { postMessage: hear, probe });
}

/** The app's worker, once there is one that answers. */
export async function agentOf(page: Page): Promise<Worker> {
  for (;;) {
    const worker = page.workers()[0] ?? (await page.waitForEvent('worker'));
    const isThere = await worker.evaluate(install).then(
      () => true,
      () => false,
    );
    if (isThere) return worker;
  }
}

export function askAgent(worker: Worker, method: string, ...given: unknown[]): Promise<unknown> {
  return worker.evaluate(([name, args]) => (self as unknown as { probe: Probe }).probe.ask(name, ...args), [
    method,
    given,
  ] as const);
}

/** The rows of one table of the app's database, without what cannot leave the browser. */
export async function rowsIn<Row>(worker: Worker, table: string): Promise<readonly Row[]> {
  return (await worker.evaluate((name) => (self as unknown as { probe: Probe }).probe.rows(name), table)) as Row[];
}

/** Whether a task has an owner at this moment, who may yet change what its row says. */
export function isOwned(worker: Worker, id: string): Promise<boolean> {
  return worker.evaluate(async (task) => {
    const { held } = await navigator.locks.query();
    return held?.some(({ name }) => name?.includes(task)) ?? false;
  }, id);
}

/** Starts a task as `model` was started, on the same folder and endpoint, with other instructions. Resolves to its id. */
export async function startAlike(
  worker: Worker,
  model: StoredTask,
  instructions: string,
  fault: Fault | null,
): Promise<string> {
  const made = await worker.evaluate(
    async ([{ name, options: asked, endpointId, folderId }, wish, armed]) => {
      const { probe } = self as unknown as { probe: Probe };
      const folders = (await probe.rows('folders')) as { id: string; handle: FileSystemDirectoryHandle }[];
      const source = { kind: 'handle', handle: folders.find(({ id }) => id === folderId)?.handle };
      const options = { ...asked, instructions: wish };
      const fault = armed ? { fault: armed } : {};
      return (await probe.ask('createTask', { name, source, options, endpointId, ...fault })) as {
        ok: boolean;
        value: string;
      };
    },
    [model, instructions, fault] as const,
  );
  if (!made.ok) throw new Error(`not started: ${JSON.stringify(made)}`);
  return made.value;
}

export interface StoredTask {
  readonly id: string;
  readonly name: string;
  readonly options: object;
  readonly endpointId: string;
  readonly folderId: string;
  readonly seq: number;
  readonly status: string;
  readonly reason: string | null;
  readonly output: string;
  readonly report: string | null;
  readonly counts: { readonly failed: number; readonly done: number };
  readonly recovery: { readonly repeated: number } | null;
}

/** From now on a worker that is asked to end stands still instead, so that something else can end it there. */
export async function standStillAtStop(worker: Worker): Promise<void> {
  await worker.evaluate(() => (self as unknown as { probe: Probe }).probe.standStillAtStop());
}

/** Resolves when the worker was asked to end, and stands still. */
export async function stoodStill(worker: Worker): Promise<void> {
  await worker.evaluate(() => (self as unknown as { probe: Probe }).probe.stopped);
}
