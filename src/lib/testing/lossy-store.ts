import { failure } from '../core/failure';
import type { ResultKey } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import { fail, ok } from '../core/result';
import { MemoryCheckpointStore } from '../storage/checkpoint-store-memory';

export type Loss = 'gone' | 'damaged' | 'newer';

/** A store in which some answers cannot be read, until they are saved again. */
export class LossyStore extends MemoryCheckpointStore {
  readonly lost = new Map<ResultKey, Loss>();

  override async results(keys: readonly ResultKey[]): ReturnType<CheckpointStore['results']> {
    const whole = await super.results(keys);
    const bad = keys.map((key) => this.lost.get(key)).find((loss) => loss === 'damaged' || loss === 'newer');
    if (!whole.ok || bad === undefined) {
      return whole.ok ? ok(whole.value.map((row) => (row && this.lost.has(row.key) ? null : row))) : whole;
    }
    return fail(
      failure(bad === 'damaged' ? 'row_unreadable' : 'row_from_newer_version', { details: { table: 'results' } }),
    );
  }

  override async result(key: ResultKey): ReturnType<CheckpointStore['result']> {
    const read = await this.results([key]);
    return read.ok ? ok(read.value[0] ?? null) : read;
  }

  override commit(...[commit]: Parameters<CheckpointStore['commit']>): ReturnType<CheckpointStore['commit']> {
    for (const { key } of commit.results) this.lost.delete(key);
    return super.commit(commit);
  }
}
