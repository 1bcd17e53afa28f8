import type { SnapshotFile } from '../bridge/agent-api';

export interface ChosenFiles {
  /** Empty when the browser does not say which folder the files came from. */
  readonly folderName: string;
  readonly files: readonly SnapshotFile[];
}

/**
 * Files of a folder input as paths within the folder. Some browsers leave the relative path empty: the name stands in
 * then, and equal names are told apart, so that none takes another's place.
 */
export function chosenFiles(files: Iterable<File>): ChosenFiles {
  const taken = new Set<string>();
  let folderName = '';
  const chosen = [...files].map((file) => {
    const [folder = '', ...rest] = file.webkitRelativePath.split('/');
    if (rest.length > 0) folderName ||= folder;
    const path = freePath(rest.length > 0 ? rest.join('/') : file.name, taken);
    taken.add(path);
    return { path, file };
  });
  return { folderName, files: chosen };
}

function freePath(path: string, taken: ReadonlySet<string>): string {
  const dot = path.lastIndexOf('.');
  const cut = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  for (let copy = 1; ; copy += 1) {
    const tried = copy === 1 ? path : `${path.slice(0, cut)} (${copy})${path.slice(cut)}`;
    if (!taken.has(tried)) return tried;
  }
}
