import { failure, type Failure } from '../core/failure';

/** Raised while a tab with an older version keeps the database from being upgraded. */
export class UpgradeBlockedError extends Error {
  override readonly name = 'UpgradeBlockedError';
}

const CLOSED = ['DatabaseClosedError', 'InvalidStateError', 'AbortError', 'TransactionInactiveError'];
const UNAVAILABLE = [
  'MissingAPIError',
  'MissingApiError',
  'OpenFailedError',
  'SecurityError',
  'NotAllowedError',
  'VersionError',
  'UnknownError',
  'NotReadableError',
  'NoModificationAllowedError',
  'NotFoundError',
  'TimeoutError',
];

/**
 * What an error of the database means. `open`: it was raised while opening, where browsers that refuse storage answer
 * with whatever they like. Null: it is no failure of the storage but a bug, to be thrown on.
 * Failures: `storage_full`, `storage_closed`, `storage_unavailable`, `storage_blocked`, `row_from_newer_version`.
 */
export function storageFailure(error: unknown, phase: 'open' | 'use'): Failure | null {
  const chain = errorChain(error);
  const has = (names: readonly string[]) => chain.some((link) => names.includes(link.name));
  const message = chain.map((link) => `${link.name}: ${link.message}`).join(' < ');
  // A full disk shows as an AbortError whose inner error alone says why, or as one failure among many of a bulk write.
  if (has(['QuotaExceededError'])) return failure('storage_full', { message });
  if (has(['UpgradeBlockedError'])) return failure('storage_blocked', { message });
  if (has(['NewerSchemaError'])) return failure('row_from_newer_version', { message, details: { table: 'database' } });
  if (phase === 'open' || has(UNAVAILABLE)) return failure('storage_unavailable', { message });
  if (has(CLOSED)) return failure('storage_closed', { message });
  return null;
}

interface Link {
  readonly name: string;
  readonly message: string;
}

const MAX_LINKS = 20;

/** The error, what it wraps, and the single failures of a bulk write. */
function errorChain(error: unknown): readonly Link[] {
  const links: Link[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && links.length < MAX_LINKS) {
    const current = waiting.shift();
    if (typeof current !== 'object' || current === null) continue;
    if ('name' in current && typeof current.name === 'string') {
      const message = 'message' in current && typeof current.message === 'string' ? current.message : '';
      links.push({ name: current.name, message: message.split('\n')[0] ?? '' });
    }
    if ('inner' in current) waiting.push(current.inner);
    if ('cause' in current) waiting.push(current.cause);
    if ('failures' in current && Array.isArray(current.failures)) {
      const failures: readonly unknown[] = current.failures;
      waiting.push(...failures.slice(0, MAX_LINKS));
    }
  }
  return links;
}
