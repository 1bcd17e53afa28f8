import type { ActivityRow } from '../../core/activity';
import type { CheckpointRow } from '../../core/checkpoint';
import type { Commit } from '../../core/commit';
import type { EffectRow } from '../../core/effect';
import type { FolderRow } from '../../core/folder';
import type { ResultRow } from '../../core/results';
import type { StepRow } from '../../core/step';
import type { TaskRow } from '../../core/task';
import { checksum } from './checksum';

/** A folder without its handle, which only IndexedDB can hold. */
export type WrittenFolder = Omit<FolderRow, 'handle'>;

/** Every file begins with a head: the task as its writer took it over. A base goes on with all rows as of that moment. */
export interface Head {
  readonly what: 'head';
  readonly v: 1;
  readonly isBase: boolean;
  readonly task: TaskRow;
  readonly folder: WrittenFolder | null;
}

export interface BaseRows {
  readonly what: 'rows';
  readonly steps: readonly StepRow[];
  readonly results: readonly ResultRow[];
  readonly activity: readonly ActivityRow[];
  /** Absent in journals of the first version. */
  readonly effects?: readonly EffectRow[];
  readonly checkpoints?: readonly CheckpointRow[];
}

/** What a line says. A base without its `base_end` was cut off and counts for nothing. */
export type Entry =
  Head | BaseRows | { readonly what: 'base_end' } | { readonly what: 'commit'; readonly commit: Commit };

/** One line: what it says, and the task's seq once it is carried out. */
export interface Line {
  readonly entry: Entry;
  readonly seq: number;
}

/** Bytes at a line's end that tell its seq and checksum; see `encodeLine`. */
const TRAILER = /\t(\d{16})\t([0-9a-f]{8})\n$/;
const TRAILER_BYTES = 1 + 16 + 1 + 8 + 1;

/** `<json>\t<seq>\t<checksum of all before>\n`. JSON has no raw tab or line end, so neither stands within a line. */
export function encodeLine({ entry, seq }: Line): Uint8Array<ArrayBuffer> {
  const text = `${JSON.stringify(entry)}\t${String(seq).padStart(16, '0')}`;
  const body = new TextEncoder().encode(text);
  const tail = new TextEncoder().encode(`\t${checksum(body)}\n`);
  const line = new Uint8Array(body.length + tail.length);
  line.set(body);
  line.set(tail, body.length);
  return line;
}

/** Null for a line that was torn or damaged. `bytes` are without the line end. */
export function decodeLine(bytes: Uint8Array): Line | null {
  const cut = bytes.length - 9;
  if (cut <= 0) return null;
  const body = bytes.subarray(0, cut);
  const told = new TextDecoder().decode(bytes.subarray(cut));
  if (told !== `\t${checksum(body)}`) return null;
  const text = new TextDecoder().decode(body);
  const tab = text.lastIndexOf('\t');
  return { entry: JSON.parse(text.slice(0, tab)) as Entry, seq: Number(text.slice(tab + 1)) };
}

/** Bytes to read from a file's end for `seqAtEnd`. */
export const TAIL_BYTES = TRAILER_BYTES;

/** The seq after a file's last line, told from its end alone; null when the end is torn. */
export function seqAtEnd(tail: string): number | null {
  const found = TRAILER.exec(tail);
  return found?.[1] === undefined ? null : Number(found[1]);
}

/** The whole lines of a file in order, up to the first that is torn or damaged: what is behind that is not to be trusted. */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  let rest = new Uint8Array(0);
  for await (const piece of pieces) {
    const joined = new Uint8Array(rest.length + piece.length);
    joined.set(rest);
    joined.set(piece, rest.length);
    let from = 0;
    for (let end = joined.indexOf(10); end >= 0; end = joined.indexOf(10, from)) {
      const line = decodeLine(joined.subarray(from, end));
      if (line === null) return;
      yield line;
      from = end + 1;
    }
    rest = joined.slice(from);
  }
}
