import { failure, type Failure } from '../core/failure';
import type { FolderAccess } from '../core/ports';
import { unlistable } from './directory-trouble';

interface PermittedHandle extends FileSystemDirectoryHandle {
  queryPermission?(descriptor: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
}

/** The browser's own storage needs no permission, and some browsers have no question for it. */
export async function isGranted(handle: FileSystemDirectoryHandle, mode: 'read' | 'readwrite'): Promise<boolean> {
  const permitted: PermittedHandle = handle;
  return permitted.queryPermission === undefined || (await permitted.queryPermission({ mode })) === 'granted';
}

export async function accessTo(root: FileSystemDirectoryHandle): Promise<FolderAccess> {
  const lost = await rootFailure(root);
  if (lost === null) return 'ready';
  return lost.code === 'folder_permission' ? 'needs_permission' : 'missing';
}

/** Why the whole folder is out of reach: `folder_permission`, `folder_missing`; null when it can be listed. */
export async function rootFailure(root: FileSystemDirectoryHandle): Promise<Failure | null> {
  if (!(await isGranted(root, 'read'))) return failure('folder_permission', { details: { folder: root.name } });
  try {
    await root.keys().next();
    return null;
  } catch (error) {
    return unlistable(root.name, error);
  }
}
