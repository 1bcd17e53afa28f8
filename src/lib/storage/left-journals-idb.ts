import type { TaskId } from '../core/ids';
import { isFailureCode } from '../core/failure-codes';
import { ok, type Result } from '../core/result';
import type { Connection } from './connection';
import type { Database } from './database';
import type { LeftJournals } from './journal/left-journals';
import { stringIn } from './row-shapes';
import type { QuarantinedTask } from './task-list';

const NAME = 'leftJournals';

/** Told in a setting, where screens find it beside the tasks. */
export class IdbLeftJournals implements LeftJournals {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  put(left: readonly QuarantinedTask[]): Promise<Result<void>> {
    return this.#replace(() => left);
  }

  forget(id: TaskId): Promise<Result<void>> {
    return this.#replace((before) => before.filter((one) => one.id !== id));
  }

  #replace(change: (before: readonly QuarantinedTask[]) => readonly QuarantinedTask[]): Promise<Result<void>> {
    return this.#connection.run('relaxed', (database) =>
      database.transaction('rw', database.settings, async () => {
        const before = await leftJournals(database);
        const left = change(before);
        if (left.length > 0) await database.settings.put({ name: NAME, value: left });
        else if (before.length > 0) await database.settings.delete(NAME);
        return ok();
      }),
    );
  }
}

export async function leftJournals(database: Database): Promise<readonly QuarantinedTask[]> {
  const value = (await database.settings.get(NAME))?.value;
  return Array.isArray(value) ? value.filter(isLeft) : [];
}

function isLeft(value: unknown): value is QuarantinedTask {
  if (stringIn(value, 'id') === '' || typeof value !== 'object' || value === null) return false;
  const { failure } = value as { readonly failure?: unknown };
  return isFailureCode(stringIn(failure, 'code'));
}
