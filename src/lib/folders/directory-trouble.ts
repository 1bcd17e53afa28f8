import { failure, type Failure } from '../core/failure';

/** What the platform's exceptions mean, wherever they come from. */
export type DirectoryTrouble = 'gone' | 'denied' | 'unreadable' | 'bad_name' | 'full' | 'other';

/** @throws the error itself when no file system raised it: it is a bug */
export function troubleOf(error: unknown): DirectoryTrouble {
  if (error instanceof TypeError) return 'bad_name';
  if (!(error instanceof DOMException)) throw error;
  switch (error.name) {
    case 'NotFoundError':
    case 'TypeMismatchError':
      return 'gone';
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotReadableError':
      return 'unreadable';
    case 'QuotaExceededError':
      return 'full';
    default:
      return 'other';
  }
}

/** One file or subfolder that cannot be looked at, while the folder around it can. */
export function unreadable(path: string, error: unknown): Failure {
  return failure('file_unreadable', { message: messageOf(error), details: { path } });
}

/** The folder itself. */
export function unlistable(folder: string, error: unknown): Failure {
  const code = troubleOf(error) === 'denied' ? 'folder_permission' : 'folder_missing';
  return failure(code, { message: messageOf(error), details: { folder } });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
