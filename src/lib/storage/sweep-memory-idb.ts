import * as v from 'valibot';
import { ok, type Result } from '../core/result';
import type { Connection } from './connection';
import type { SweepMemory, SweepNote } from './retention';

const NAME = 'retentionSweep';
const noteShape = v.object({ lastMs: v.pipe(v.number(), v.finite()), heldUntilMs: v.pipe(v.number(), v.finite()) });

export class IdbSweepMemory implements SweepMemory {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  note(): Promise<Result<SweepNote | null>> {
    return this.#connection.run('relaxed', async (database) => {
      const stored = v.safeParse(noteShape, (await database.settings.get(NAME))?.value);
      return ok(stored.success ? stored.output : null);
    });
  }

  putNote(note: SweepNote): Promise<Result<void>> {
    return this.#connection.run('relaxed', async (database) => {
      await database.settings.put({ name: NAME, value: note });
      return ok();
    });
  }
}
