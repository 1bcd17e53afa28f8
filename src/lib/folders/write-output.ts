import { failure, type Failure } from '../core/failure';
import { OUTPUT_FOLDER } from '../core/folder';
import { outputSegments } from '../core/output-path';
import { fail, ok, type Result } from '../core/result';
import { messageOf, troubleOf } from './directory-trouble';
import { rootFailure } from './permission';

/** Replaces `talaria/<path>` whole. The platform writes beside the file and moves it over when all is there. */
export async function writeOutput(
  root: FileSystemDirectoryHandle,
  path: string,
  content: string,
): Promise<Result<void>> {
  const segments = outputSegments(path);
  if (!segments.ok) return segments;
  try {
    let folder = await root.getDirectoryHandle(OUTPUT_FOLDER, { create: true });
    for (const name of segments.value.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
    const file = await folder.getFileHandle(segments.value.at(-1) ?? '', { create: true });
    await replaceContent(file, content);
    return ok();
  } catch (error) {
    return fail(await writeFailure(root, path, error));
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
