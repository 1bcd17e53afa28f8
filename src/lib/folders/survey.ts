import type { FileEntry, FileFilter, FolderProblem, IgnoreReason } from '../core/folder';
import type { Folder, FolderOpener } from '../core/ports';
import type { Result } from '../core/result';

/** One thing that a look through a folder came across. A left out subfolder ends with `/` and is not entered. */
export type SurveyItem =
  | { readonly found: 'file'; readonly entry: FileEntry }
  | { readonly found: 'ignored'; readonly path: string; readonly reason: IgnoreReason }
  | ({ readonly found: 'problem' } & FolderProblem);

export type Survey = AsyncIterable<readonly SurveyItem[]>;

/** A folder that also tells what it leaves out and why. */
export interface SurveyedFolder extends Folder {
  /** Like `walk`, with a filter of one's own. What the filter leaves out costs no look-up of size and time. */
  survey(signal: AbortSignal, filter: FileFilter): Survey;
}

export interface SurveyedFolderOpener extends FolderOpener {
  open(...row: Parameters<FolderOpener['open']>): Promise<Result<SurveyedFolder>>;
}

/** The files of a survey, as `Folder.walk` gives them. */
export async function* filesOf(
  survey: Survey,
  onProblem: (problem: FolderProblem) => void = () => undefined,
): AsyncGenerator<readonly FileEntry[]> {
  for await (const items of survey) {
    const entries: FileEntry[] = [];
    for (const item of items) {
      if (item.found === 'file') entries.push(item.entry);
      if (item.found === 'problem') onProblem({ path: item.path, failure: item.failure });
    }
    if (entries.length > 0) yield entries;
  }
}
