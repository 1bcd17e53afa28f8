/** Real folders on the disk for tests and the demo. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

/** @typedef {Readonly<Record<string, string | Uint8Array>>} Files path within the folder → content */

/** @param {string} name @returns {string} an empty directory that is nobody else's */
export function temporaryDir(name) {
  return mkdtempSync(join(tmpdir(), `talaria-${name}-`));
}

/** @param {Files} files @param {string} [name] @returns {string} absolute path of the new folder */
export function makeFolder(files, name = 'notes') {
  const folder = join(temporaryDir('folder'), name);
  mkdirSync(folder);
  addFiles(folder, files);
  return folder;
}

/** @param {string} folder @param {Files} files */
export function addFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, ...path.split('/'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** @param {string} folder made by makeFolder */
export function removeFolder(folder) {
  rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** @param {string} folder @returns {string[]} `/`-separated paths of all files below, sorted; none when it is not there */
export function listFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  } catch {
    return [];
  }
}

/**
 * What Talaria wrote into a folder: one entry per task slug.
 * @param {string} folder
 * @returns {{ slug: string, dir: string, report: string, csv: string, results: string[] }[]}
 */
export function outputsIn(folder) {
  const root = join(folder, 'talaria');
  const slugs = [...new Set(listFiles(root).map((path) => path.split('/')[0] ?? ''))];
  return slugs.map((slug) => {
    const dir = join(root, slug);
    return {
      slug,
      dir,
      report: textOf(join(dir, 'report.md')),
      csv: textOf(join(dir, 'results.csv')),
      results: listFiles(join(dir, 'results')),
    };
  });
}

/** @param {string} file @returns {string} empty when it is not there */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Files whose contents all differ, with the path in the text, so that a server can tell which one it was asked about.
 * @param {number} count
 * @param {(index: number) => string} [pathOf]
 * @returns {Record<string, string>}
 */
export function distinctFiles(count, pathOf = (index) => `note-${String(index).padStart(4, '0')}.txt`) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const path = pathOf(index);
      return [
        path,
        `File <${path}>\nThe measured value of sample ${index} is ${index * 37 + 11}. 样品编号：S-${index}。\n`,
      ];
    }),
  );
}
