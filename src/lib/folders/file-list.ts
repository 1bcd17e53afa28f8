import type { FileEntry, FileFilter, IgnoreReason } from '../core/folder';
import { abortError } from './abort-error';
import type { SurveyItem } from './survey';

const BATCH = 256;

/** A folder whose files are all known beforehand. */
export class FileList<E extends FileEntry = FileEntry> {
  readonly #entries: ReadonlyMap<string, E>;

  constructor(entries: readonly E[]) {
    this.#entries = new Map(entries.map((entry) => [entry.path, entry]));
  }

  entry(path: string): E | null {
    return this.#entries.get(path) ?? null;
  }

  /** As a walk through a directory would find them. */
  async *survey(signal: AbortSignal, filter: FileFilter): AsyncGenerator<readonly SurveyItem[]> {
    const folders = new IgnoredFolders(filter);
    let batch: SurveyItem[] = [];
    for (const { path, sizeBytes, modifiedMs } of this.#entries.values()) {
      const item = folders.meet(path);
      if (item === 'known') continue;
      batch.push(item ?? { found: 'file', entry: { path, sizeBytes, modifiedMs } });
      if (batch.length < BATCH) continue;
      if (signal.aborted) throw abortError();
      yield batch;
      batch = [];
    }
    if (signal.aborted) throw abortError();
    if (batch.length > 0) yield batch;
  }
}

/** Tells of a left out folder once, however many of its files come by. */
export class IgnoredFolders {
  readonly #filter: FileFilter;
  readonly #verdicts = new Map<string, IgnoreReason | null>();

  constructor(filter: FileFilter) {
    this.#filter = filter;
  }

  /** Null lets the file in; `known` means that its folder has been told of. */
  meet(path: string): Extract<SurveyItem, { found: 'ignored' }> | 'known' | null {
    for (let cut = path.indexOf('/'); cut >= 0; cut = path.indexOf('/', cut + 1)) {
      const folder = path.slice(0, cut);
      const before = this.#verdicts.get(folder);
      const reason = before === undefined ? this.#filter.folderVerdict(folder) : before;
      this.#verdicts.set(folder, reason);
      if (reason !== null) return before === undefined ? { found: 'ignored', path: `${folder}/`, reason } : 'known';
    }
    const reason = this.#filter.verdict(path);
    return reason === null ? null : { found: 'ignored', path, reason };
  }
}
