import { BaseCheckpointSaver, type Checkpoint, type CheckpointMetadata } from '@langchain/langgraph/web';
import { openRecords } from './bare-store';

type Config = Parameters<BaseCheckpointSaver['put']>[0];
type Tuple = Awaited<ReturnType<BaseCheckpointSaver['getTuple']>>;

interface SavedCheckpoint {
  readonly checkpoint: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * LangGraph's checkpoints in IndexedDB, as its own `MemorySaver` keeps them in memory: each whole, one transaction a call.
 * Only what running a graph from its beginning needs.
 */
export class IdbSaver extends BaseCheckpointSaver {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    super();
    this.#database = database;
  }

  static async open(name: string): Promise<IdbSaver> {
    return new IdbSaver(await openRecords(name, ['checkpoints', 'writes']));
  }

  override getTuple(): Promise<Tuple> {
    return Promise.resolve(undefined);
  }

  override list(): ReturnType<BaseCheckpointSaver['list']> {
    throw new Error('nothing is listed while a graph runs');
  }

  override async put(config: Config, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<Config> {
    const [[, value], [, about]] = await Promise.all([
      this.serde.dumpsTyped(checkpoint),
      this.serde.dumpsTyped(metadata),
    ]);
    const { thread_id, checkpoint_ns = '' } = placeOf(config);
    const row: SavedCheckpoint = { checkpoint: value, metadata: about };
    await this.#put('checkpoints', [[[thread_id, checkpoint_ns, checkpoint.id], row]]);
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: Config, writes: Parameters<BaseCheckpointSaver['putWrites']>[1], taskId: string) {
    const { thread_id, checkpoint_ns = '', checkpoint_id = '' } = placeOf(config);
    const rows = await Promise.all(
      writes.map(async ([channel, value], index): Promise<[IDBValidKey, unknown]> => {
        const [, bytes] = await this.serde.dumpsTyped(value);
        return [[thread_id, checkpoint_ns, checkpoint_id, taskId, index], { channel, bytes }];
      }),
    );
    await this.#put('writes', rows);
  }

  override deleteThread(): Promise<void> {
    throw new Error('nothing is deleted while a graph runs');
  }

  #put(store: string, rows: readonly (readonly [IDBValidKey, unknown])[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(store, 'readwrite', { durability: 'relaxed' });
      for (const [key, row] of rows) transaction.objectStore(store).put(row, key);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('a transaction was aborted'));
    });
  }
}

function placeOf(config: Config) {
  return (config.configurable ?? {}) as { thread_id: string; checkpoint_ns?: string; checkpoint_id?: string };
}
