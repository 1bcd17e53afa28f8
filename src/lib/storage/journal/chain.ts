import type { Commit } from '../../core/commit';
import type { TaskId } from '../../core/ids';
import { epochOf, type JournalFiles } from './journal-files';
import { readLines, seqAtEnd, TAIL_BYTES, type BaseRows, type Head } from './lines';

export interface JournaledCommit {
  /** The task's seq once the commit is carried out. */
  readonly seq: number;
  readonly commit: Commit;
}

interface Link {
  readonly name: string;
  readonly head: Head;
}

/** The files that lead from the newest whole base to now, in order, the base's own first. */
export type Chain = readonly [Link, ...Link[]];

/**
 * The seq that a journal reaches, told from its last bytes alone, so that it costs the same for any size. Null when the
 * end is torn or there is no journal: then only `readChain` can tell. `except` names a file that is not begun yet.
 */
export async function seqReached(files: JournalFiles, id: TaskId, except: string): Promise<number | null> {
  const last = (await files.list(id)).filter((name) => name !== except).at(-1);
  return last === undefined ? null : seqAtEnd(await files.tail(id, last, TAIL_BYTES));
}

/** The epoch of the last owner who began a file; null when nobody did. A file without a head is only reserved. */
export async function lastOwner(files: JournalFiles, id: TaskId): Promise<number | null> {
  for (const name of (await files.list(id)).toReversed()) {
    if ((await readStart(files, id, name)) !== null) return epochOf(name);
  }
  return null;
}

/** Null when no base is whole: nothing can be made of such a journal. */
export async function readChain(files: JournalFiles, id: TaskId): Promise<Chain | null> {
  const links: (Link & { readonly isWholeBase: boolean })[] = [];
  for (const name of await files.list(id)) {
    const start = await readStart(files, id, name);
    if (start && (start.isWholeBase || !start.head.isBase)) links.push({ name, ...start });
  }
  const from = links.findLastIndex(({ isWholeBase }) => isWholeBase);
  const [base, ...rest] = from < 0 ? [] : links.slice(from);
  return base ? [base, ...rest] : null;
}

/** The rows of the chain's base, in pages. */
export async function* baseRows(files: JournalFiles, id: TaskId, [base]: Chain): AsyncIterable<BaseRows> {
  for await (const { entry } of readLines(files.read(id, base.name))) {
    if (entry.what === 'rows') yield entry;
    if (entry.what === 'base_end') return;
  }
}

/**
 * The commits on top of the base, in order and without a gap. A line beyond the seq at which a later owner took over was
 * written by one who did not know yet that the task was no longer his: it counts for nothing.
 */
export async function* commitsOf(files: JournalFiles, id: TaskId, chain: Chain): AsyncIterable<JournaledCommit> {
  let reached = chain[0].head.task.seq;
  for (const [index, { name, head }] of chain.entries()) {
    if (head.task.seq > reached) return;
    const limit = Math.min(...chain.slice(index + 1).map((later) => later.head.task.seq));
    for await (const line of readLines(files.read(id, name))) {
      if (line.entry.what !== 'commit' || line.seq <= reached) continue;
      if (line.seq > limit) break;
      if (line.seq !== reached + 1) return;
      reached = line.seq;
      yield { seq: reached, commit: line.entry.commit };
    }
  }
}

async function readStart(files: JournalFiles, id: TaskId, name: string) {
  let head: Head | null = null;
  for await (const { entry } of readLines(files.read(id, name))) {
    if (entry.what === 'head') head = entry;
    if (head === null) return null;
    if (!head.isBase) return { head, isWholeBase: false };
    if (entry.what === 'base_end') return { head, isWholeBase: true };
  }
  return head && { head, isWholeBase: false };
}
