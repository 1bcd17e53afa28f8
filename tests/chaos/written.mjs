/** What a task wrote into its folder, in a form that two runs can be compared by. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { outputsIn } from '../support/folder.mjs';

/**
 * @typedef {object} Written
 * @property {number} folders of output; one a task
 * @property {string} report without what depends on how the work went
 * @property {Record<string, string>} table file → what the table says of it, without times and counts of tries
 * @property {Record<string, string>} results path → text
 * @property {number} rows of the table, files that are gone left out
 * @property {number} leftovers half files that a killed browser left
 */

const TABLE = ['state', 'reason', 'result', 'encoding', 'truncated'];
const GONE_ROW = /\| skipped \| no longer in the folder \|$/;

/** @param {string} folder @param {readonly string[]} files that are in it now @returns {Written} */
export function written(folder, files) {
  const outputs = outputsIn(folder);
  const [output] = outputs;
  const present = new Set(files);
  const { data } = Papa.parse(output?.csv.replace(/^\uFEFF/, '') ?? '', { header: true, skipEmptyLines: true });
  const rows = /** @type {Record<string, string>[]} */ (data).filter(
    ({ file, reason }) => present.has(file ?? '') || reason !== 'file_gone',
  );
  const names = output?.results.filter((path) => path.endsWith('.md')) ?? [];
  return {
    folders: outputs.length,
    report: comparable(output?.report ?? ''),
    table: Object.fromEntries(rows.map((row) => [row.file ?? '', TABLE.map((column) => row[column]).join(' | ')])),
    results: Object.fromEntries(
      names.map((name) => [name, readFileSync(join(output?.dir ?? '', 'results', name), 'utf8')]),
    ),
    rows: rows.length,
    leftovers: output?.results.filter((path) => path.endsWith('.crswap')).length ?? 0,
  };
}

/**
 * A file that is gone stays in the list of a task that knew it; one that was renamed keeps its answer. The line of
 * counts tells of both.
 * @param {string} report
 */
function comparable(report) {
  return report
    .split('\n')
    .filter((line) => !GONE_ROW.test(line) && !/^\d+ of \d+ files/.test(line))
    .map((line) =>
      line.replace('| done \\(answer reused\\) |', '| done |').replace('| done (answer reused) |', '| done |'),
    )
    .join('\n');
}
