import Dexie from 'dexie';
import { describe, expect, it } from 'vitest';
import { NewerSchemaError } from './database';
import { storageFailure, UpgradeBlockedError } from './storage-failure';

const quota = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');
const dexieError = (name: string, message: string, inner?: unknown) =>
  Object.assign(new Error(message), { name, inner });

describe('storageFailure', () => {
  const cases: [string, unknown, string][] = [
    ['a full disk', quota(), 'storage_full'],
    [
      'IDB-01: an abort that hides a full disk',
      dexieError('AbortError', 'Transaction aborted', quota()),
      'storage_full',
    ],
    ['a full disk the library knows', dexieError('QuotaExceededError', 'QuotaExceededError', quota()), 'storage_full'],
    [
      'a bulk write of which one row found the disk full',
      Object.assign(dexieError('BulkError', '1 of 2 failed'), { failures: [dexieError('AbortError', '', quota())] }),
      'storage_full',
    ],
    ['a full disk behind a cause', new Error('commit', { cause: quota() }), 'storage_full'],
    [
      'IDB-02: a connection that is closing',
      new DOMException(
        "Failed to execute 'transaction' on 'IDBDatabase': The database connection is closing.",
        'InvalidStateError',
      ),
      'storage_closed',
    ],
    ['a closed database', dexieError('DatabaseClosedError', 'Database has been closed'), 'storage_closed'],
    ['a transaction the browser cut off', dexieError('AbortError', 'Transaction aborted', null), 'storage_closed'],
    [
      'a database that closed because it could not be opened',
      dexieError('DatabaseClosedError', 'x', dexieError('MissingAPIError', 'IndexedDB API missing')),
      'storage_unavailable',
    ],
    ['a disk error', new DOMException('Internal error.', 'UnknownError'), 'storage_unavailable'],
    ['an upgrade kept waiting', new UpgradeBlockedError(), 'storage_blocked'],
    ['a newer layout', dexieError('DatabaseClosedError', 'x', new NewerSchemaError()), 'row_from_newer_version'],
  ];
  it.each(cases)('knows %s', (_, error, code) => {
    expect(storageFailure(error, 'use')?.code).toBe(code);
  });

  it('IDB-08: takes whatever is raised on opening for missing storage', () => {
    const refused = new DOMException('A mutation operation was attempted on a database…', 'InvalidStateError');
    expect(storageFailure(refused, 'open')?.code).toBe('storage_unavailable');
    expect(storageFailure(new Error('strange'), 'open')?.code).toBe('storage_unavailable');
    expect(storageFailure(quota(), 'open')?.code).toBe('storage_full');
  });

  it('leaves bugs to be thrown', () => {
    expect(storageFailure(new TypeError('x is undefined'), 'use')).toBeNull();
    expect(storageFailure(new DOMException('could not be cloned', 'DataCloneError'), 'use')).toBeNull();
    expect(storageFailure(new Dexie.ConstraintError('exists'), 'use')).toBeNull();
    expect(storageFailure('text', 'use')).toBeNull();
  });

  it('ends on errors that hold themselves', () => {
    const error: Error & { inner?: unknown } = new Error('round');
    error.inner = error;
    expect(storageFailure(error, 'use')).toBeNull();
  });

  it('says what lay behind, for the report', () => {
    const message = storageFailure(dexieError('AbortError', 'Transaction aborted', quota()), 'use')?.message;
    expect(message).toBe('AbortError: Transaction aborted < QuotaExceededError: The quota has been exceeded.');
  });
});
