import { failure, type Failure } from '../core/failure';
import { OUTPUT_FOLDER } from '../core/folder';
import { outputSegments } from '../core/output-path';
import { fail, ok, type Result } from '../core/result';
import { messageOf, troubleOf, unreadable } from './directory-trouble';
import { rootFailure } from './permission';

/**
 * Replaces `talaria/<path>` whole. The platform writes beside the file, under its name with `.crswap`, and moves it over
 * when all is there. Killed in between, it leaves that file lying about, and takes another name the next time.
 */
export async function writeOutput(
  root: FileSystemDirectoryHandle,
  path: string,
  content: string,
): Promise<Result<void>> {
  const segments = outputSegments(path);
  if (!segments.ok) return segments;
  try {
    const folder = await folderOf(root, segments.value, { create: true });
    const name = segments.value.at(-1) ?? '';
    await removeLeftover(folder, `${name}.crswap`);
    await replaceContent(await folder.getFileHandle(name, { create: true }), content);
    return ok();
  } catch (error) {
    return fail(await writeFailure(root, path, error));
  }
}

/** What `talaria/<path>` holds; null when it is not there. */
export async function readOutput(
  root: FileSystemDirectoryHandle,
  path: string,
): Promise<Result<Uint8Array<ArrayBuffer> | null>> {
  const segments = outputSegments(path);
  if (!segments.ok) return segments;
  try {
    const folder = await folderOf(root, segments.value, { create: false });
    const file = await (await folder.getFileHandle(segments.value.at(-1) ?? '')).getFile();
    return ok(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    // What is gone, in the way, or of a name that the platform will not open holds nothing to lose: writing says why.
    const trouble = troubleOf(error);
    if (trouble === 'gone' || trouble === 'bad_name') return ok(null);
    return fail((await rootFailure(root)) ?? unreadable(path, error));
  }
}

async function folderOf(
  root: FileSystemDirectoryHandle,
  segments: readonly string[],
  options: { create: boolean },
): Promise<FileSystemDirectoryHandle> {
  let folder = root;
  for (const name of [OUTPUT_FOLDER, ...segments.slice(0, -1)]) folder = await folder.getDirectoryHandle(name, options);
  return folder;
}

async function removeLeftover(folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  try {
    await folder.removeEntry(name);
  } catch (error) {
    troubleOf(error);
  }
}

async function replaceContent(file: FileSystemFileHandle, content: string): Promise<void> {
  const writable = await file.createWritable();
  try {
    await writable.write(content);
    await writable.close();
  } catch (error) {
    // Drops what was written beside the file. A stream that failed by itself is closed already and says so.
    await writable.abort().catch(() => undefined);
    throw error;
  }
}

async function writeFailure(root: FileSystemDirectoryHandle, path: string, error: unknown): Promise<Failure> {
  const trouble = troubleOf(error);
  const message = messageOf(error);
  if (trouble === 'bad_name') return failure('path_refused', { message, details: { path } });
  if (trouble === 'denied') return failure('folder_permission', { message, details: { folder: root.name } });
  if (trouble === 'gone') {
    const lost = await rootFailure(root);
    if (lost !== null) return lost;
  }
  const reason = trouble === 'full' ? 'disk_full' : error instanceof Error ? error.name : 'unknown';
  return failure('folder_write_failed', { message, details: { path, reason } });
}
