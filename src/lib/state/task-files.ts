/** The page's model of a task's files: compact rows, merged from changed step rows. Pure. */
import { settled, type Counts } from '../core/counts';
import type { FailureCode } from '../core/failure-codes';
import type { StepKey } from '../core/ids';
import type { StepRow, StepStatus } from '../core/step';

export interface FileView {
  readonly key: StepKey;
  readonly path: string;
  readonly status: StepStatus;
  readonly reused: boolean;
  /** The answer reached the output limit and ends early. */
  readonly truncated: boolean;
  /** The server read only a part of the file. */
  readonly inputCut: boolean;
  readonly code: FailureCode | null;
  readonly excerpt: string;
  readonly durationMs: number;
  readonly tokens: number;
  readonly finishedMs: number | null;
}

/** What is kept of a step row for lists; null for steps that are not files. */
export function fileView(row: StepRow): FileView | null {
  if (row.type !== 'file' || row.file === null) return null;
  return {
    key: row.key,
    path: row.file.path,
    status: row.status,
    reused: row.flags.reused,
    truncated: row.status === 'done' && row.flags.truncated,
    inputCut: row.status === 'done' && row.flags.inputCut === true,
    code: row.failure?.code ?? null,
    excerpt: row.excerpt,
    durationMs: row.durationMs,
    tokens: row.usage.promptTokens + row.usage.completionTokens,
    finishedMs: row.finishedMs,
  };
}

/** Rows in path order, with the place of each key. */
export interface FileList {
  readonly rows: readonly FileView[];
  readonly places: ReadonlyMap<StepKey, number>;
}

export const NO_FILES: FileList = { rows: [], places: new Map() };

/** The list after rows changed. Costs what changed plus one pass over pointers; the places move only when files were added. */
export function mergeFiles(list: FileList, changed: readonly StepRow[]): FileList {
  const rows = [...list.rows];
  const added = new Map<StepKey, FileView>();
  let touched = false;
  for (const row of changed) {
    const view = fileView(row);
    if (view === null) continue;
    touched = true;
    const place = list.places.get(view.key);
    if (place === undefined) added.set(view.key, view);
    else rows[place] = view;
  }
  if (!touched) return list;
  if (added.size === 0) return { rows, places: list.places };
  const merged = interleave(rows, [...added.values()].sort(byPath));
  return { rows: merged, places: new Map(merged.map((row, place) => [row.key, place])) };
}

export type FileFilter = 'all' | 'running' | 'done' | 'failed' | 'skipped';
export const FILE_FILTERS: readonly FileFilter[] = ['all', 'running', 'done', 'failed', 'skipped'];

/** A filter that has nothing left to show and will not get any soon. Between two files nothing runs, and that is no end. */
export function isSpent(filter: FileFilter, counts: Counts): boolean {
  switch (filter) {
    case 'all':
      return false;
    case 'running':
      return counts.running === 0 && settled(counts) >= counts.planned;
    case 'done':
      return counts.done + counts.reused === 0;
    case 'failed':
    case 'skipped':
      return counts[filter] === 0;
  }
}

/** The rows of that state whose path or excerpt holds every word typed, whatever the case. */
export function filterFiles(rows: readonly FileView[], filter: FileFilter, typed: string): readonly FileView[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (filter === 'all' && words.length === 0) return rows;
  return rows.filter((row) => (filter === 'all' || row.status === filter) && holdsAll(row, words));
}

export type FileColumn = 'state' | 'file' | 'time' | 'tokens';
export interface FileOrder {
  readonly column: FileColumn;
  readonly descending: boolean;
}
export const BY_NAME: FileOrder = { column: 'file', descending: false };

const STATE_RANK: Readonly<Record<StepStatus, number>> = { running: 0, failed: 1, skipped: 2, done: 3, pending: 4 };

/** `rows` are in path order; ties keep it. */
export function orderFiles(rows: readonly FileView[], order: FileOrder): readonly FileView[] {
  if (order.column === 'file') return order.descending ? [...rows].reverse() : rows;
  const sign = order.descending ? -1 : 1;
  const rank = rankOf(order.column);
  return [...rows].sort((a, b) => sign * (rank(a) - rank(b)));
}

/** When a file was last settled, in Unix milliseconds; null before the first. */
export function lastSettled(rows: readonly FileView[]): number | null {
  let lastMs: number | null = null;
  for (const { finishedMs } of rows) if (finishedMs !== null && finishedMs > (lastMs ?? 0)) lastMs = finishedMs;
  return lastMs;
}

/** Files settled in each of `buckets` equal spans that end now, oldest first. */
export function settledOverTime(
  rows: readonly FileView[],
  nowMs: number,
  spanMs: number,
  buckets: number,
): readonly number[] {
  const counts = Array.from({ length: buckets }, () => 0);
  for (const { finishedMs } of rows) {
    if (finishedMs === null) continue;
    const bucket = buckets - 1 - Math.floor((nowMs - finishedMs) / (spanMs / buckets));
    const count = counts[bucket];
    if (count !== undefined) counts[bucket] = count + 1;
  }
  return counts;
}

function rankOf(column: Exclude<FileColumn, 'file'>): (row: FileView) => number {
  switch (column) {
    case 'state':
      return (row) => STATE_RANK[row.status];
    case 'time':
      return (row) => row.durationMs;
    case 'tokens':
      return (row) => row.tokens;
  }
}

function holdsAll(row: FileView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${row.path}\n${row.excerpt}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function byPath(a: FileView, b: FileView): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function interleave(rows: readonly FileView[], added: readonly FileView[]): readonly FileView[] {
  const merged: FileView[] = [];
  let next = 0;
  for (const row of rows) {
    for (let other = added[next]; other && byPath(other, row) < 0; other = added[++next]) merged.push(other);
    merged.push(row);
  }
  return merged.concat(added.slice(next));
}
