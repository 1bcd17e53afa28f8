/** A task's checkpoints in groups that people can read: what happened between two moments. Pure. */
import type { CheckpointRow } from '../core/checkpoint';
import { settled } from '../core/counts';
import { isFinished } from '../core/task';

/** What makes a checkpoint one that people remember. */
export type Turn =
  'began' | 'paused' | 'continued' | 'retried' | 'merging' | 'reporting' | 'completed' | 'failed' | 'cancelled';

export interface CheckpointGroup {
  /** Newest first; never empty. */
  readonly rows: readonly CheckpointRow[];
  readonly newest: CheckpointRow;
  readonly oldest: CheckpointRow;
  /** What the newest did to the task; null where it only went on. */
  readonly turn: Turn | null;
  /** Files that were found, and files that came to their end, in this group. */
  readonly found: number;
  readonly finished: number;
}

const LONGEST_MS = 10 * 60_000;
const MOST_ROWS = 50;

/** `rows` newest first; `before` is the one that the last of them followed, null when nothing is known of it. */
export function groupCheckpoints(
  rows: readonly CheckpointRow[],
  before: CheckpointRow | null,
): readonly CheckpointGroup[] {
  const groups: CheckpointRow[][] = [];
  rows.forEach((row, place) => {
    const group = groups.at(-1);
    const [newest] = group ?? [];
    const isNew =
      group === undefined ||
      newest === undefined ||
      group.length >= MOST_ROWS ||
      newest.atMs - row.atMs > LONGEST_MS ||
      turnOf(newest, group[1] ?? row) !== null ||
      turnOf(row, rows[place + 1] ?? before) !== null;
    if (isNew) groups.push([row]);
    else group.push(row);
  });
  return groups.flatMap((group, place) => {
    const [newest] = group;
    const oldest = group.at(-1);
    return newest && oldest ? [described(group, newest, oldest, groups[place + 1]?.[0] ?? before)] : [];
  });
}

function described(
  rows: readonly CheckpointRow[],
  newest: CheckpointRow,
  oldest: CheckpointRow,
  before: CheckpointRow | null,
): CheckpointGroup {
  const grown = (count: (row: CheckpointRow) => number) => Math.max(0, count(newest) - (before ? count(before) : 0));
  return {
    rows,
    newest,
    oldest,
    turn: rows.length === 1 ? turnOf(newest, before) : null,
    found: grown(({ counts }) => counts.planned),
    finished: grown(({ counts }) => settled(counts)),
  };
}

/** What a checkpoint did to the task that the one before it left. */
export function turnOf(row: CheckpointRow, before: CheckpointRow | null): Turn | null {
  if (before === null) return row.seq === 1 ? 'began' : endOf(row);
  if (row.counts.failed < before.counts.failed) return 'retried';
  if (row.status !== before.status) {
    if (row.status !== 'running') return endOf(row);
    return isFinished(before.status) || before.status === 'paused' ? 'continued' : 'began';
  }
  if (row.stage === before.stage || row.stage === 'files') return null;
  return row.stage;
}

function endOf({ status }: CheckpointRow): Turn | null {
  return status === 'pending' || status === 'running' ? null : status;
}
