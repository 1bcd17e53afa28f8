import type { TaskId } from '../../core/ids';
import { epochOf, journalName, nthOf, type JournalFiles, type JournalWriter } from './journal-files';

/**
 * A file that is there before anything is written to it. Its name keeps the epoch from being given a second time by a
 * rebuild; without a head it counts for nothing else.
 */
export interface ReservedFile {
  readonly name: string;
  /** Its place among the files of its epoch. */
  readonly nth: number;
  readonly writer: JournalWriter;
  /** What else the journal held. */
  readonly otherFiles: number;
  readonly otherBytes: number;
}

/** Throws what the browser throws. */
export async function reserveFile(files: JournalFiles, id: TaskId, epoch: number): Promise<ReservedFile> {
  const names = await files.list(id);
  const nth = Math.max(-1, ...names.filter((name) => epochOf(name) === epoch).map(nthOf)) + 1;
  const sizes = await Promise.all(names.map((name) => files.sizeBytes(id, name)));
  const otherBytes = sizes.reduce((sum, size) => sum + size, 0);
  const name = journalName(epoch, nth);
  return { name, nth, writer: await files.create(id, name), otherFiles: names.length, otherBytes };
}

/** While the disk is full this is tried again and again: nothing of it may pile up. */
export async function discardFile(files: JournalFiles, id: TaskId, { name, writer }: ReservedFile): Promise<void> {
  closeQuietly(writer);
  await files.remove(id, name).catch(() => undefined);
}

/** Of a file that has gone bad nothing more is wanted. */
export function closeQuietly(writer: JournalWriter): void {
  try {
    writer.close();
  } catch {
    return;
  }
}
