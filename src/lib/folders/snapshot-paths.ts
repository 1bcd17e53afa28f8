/**
 * Paths within the picked folder for files that a page was given: what `webkitRelativePath` or a dropped entry's
 * `fullPath` says, without the folder's own name; the file's name where they say nothing. No two are equal.
 */
export function snapshotPaths(
  folderName: string,
  files: readonly { readonly path: string; readonly name: string }[],
): readonly string[] {
  const split = files.map(({ path, name }) => {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
    return segments.length === 0 ? [name === '' ? 'file' : name] : segments;
  });
  const inFolder = split.every((segments) => segments.length > 1 && segments[0] === folderName);
  const taken = new Set<string>();
  return split.map((segments) => {
    const path = freePath((inFolder ? segments.slice(1) : segments).join('/'), taken);
    taken.add(path);
    return path;
  });
}

function freePath(path: string, taken: ReadonlySet<string>): string {
  const nameAt = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const end = dot > nameAt ? dot : path.length;
  let free = path;
  for (let copy = 2; taken.has(free); copy += 1) free = `${path.slice(0, end)} (${copy})${path.slice(end)}`;
  return free;
}
