import { FailureError } from '../core/failure-error';
import type { FileFilter, FolderPreview, FolderProblem, PreviewRow } from '../core/folder';
import { fail, isAbort, ok, type Result } from '../core/result';
import { throttled } from './progress-throttle';
import { FirstRows } from './first-rows';
import type { SurveyedFolder, SurveyItem } from './survey';

export interface PreviewRequest {
  readonly folder: SurveyedFolder;
  readonly filter: FileFilter;
  /** Whether a file of this name can be turned into text. */
  readonly readable: (path: string) => boolean;
  /** At most ten times a second while the walk runs. The last state is what the call resolves to. */
  readonly onProgress: (preview: FolderPreview) => void;
  readonly signal: AbortSignal;
  readonly monotonicMs?: () => number;
}

const MAX_ROWS = 200;
const MAX_PROBLEMS = 20;

/**
 * Looks through a folder and tells what a task would read. Stopped by the signal it resolves to what was found so far,
 * with `done` false. Failures: `folder_permission`, `folder_missing`.
 */
export async function previewFolder(request: PreviewRequest): Promise<Result<FolderPreview>> {
  const { folder, filter, signal, onProgress, monotonicMs = () => performance.now() } = request;
  const tally = new PreviewTally(filter, request.readable);
  const report = throttled(monotonicMs);
  try {
    for await (const items of folder.survey(signal, filter)) {
      for (const item of items) tally.add(item);
      report(() => onProgress(tally.preview(false)));
    }
    return ok(tally.preview(true));
  } catch (error) {
    if (error instanceof FailureError) return fail(error.failure);
    if (isAbort(error)) return ok(tally.preview(false));
    throw error;
  }
}

class PreviewTally {
  readonly #badPatterns: readonly string[];
  readonly #readable: (path: string) => boolean;
  readonly #kinds = new Map<string, number>();
  readonly #rows = new FirstRows<PreviewRow>(MAX_ROWS);
  readonly #problems: FolderProblem[] = [];
  #readCount = 0;
  #readBytes = 0;
  #skippedCount = 0;

  constructor(filter: FileFilter, readable: (path: string) => boolean) {
    this.#badPatterns = filter.badPatterns;
    this.#readable = readable;
  }

  add(item: SurveyItem): void {
    switch (item.found) {
      case 'file':
        return this.#addFile(item.entry.path, item.entry.sizeBytes);
      case 'ignored':
        return this.#skip({ path: item.path, sizeBytes: 0, verdict: 'skip', reason: item.reason });
      case 'problem':
        if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ path: item.path, failure: item.failure });
    }
  }

  preview(done: boolean): FolderPreview {
    return {
      done,
      readCount: this.#readCount,
      readBytes: this.#readBytes,
      skippedCount: this.#skippedCount,
      kinds: Object.fromEntries(this.#kinds),
      rows: this.#rows.inOrder(),
      problems: [...this.#problems],
      badPatterns: this.#badPatterns,
    };
  }

  #addFile(path: string, sizeBytes: number): void {
    if (!this.#readable(path)) {
      return this.#skip({ path, sizeBytes, verdict: 'skip', reason: 'file_kind_unsupported' });
    }
    if (sizeBytes === 0) return this.#skip({ path, sizeBytes, verdict: 'skip', reason: 'file_empty' });
    const kind = extensionOf(path);
    this.#readCount += 1;
    this.#readBytes += sizeBytes;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#rows.offer({ path, sizeBytes, verdict: 'read', reason: null });
  }

  #skip(row: PreviewRow): void {
    this.#skippedCount += 1;
    this.#rows.offer(row);
  }
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}
