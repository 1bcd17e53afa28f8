import { fail, ok, type Result } from '../core/result';
import { abortError } from './abort-error';
import { troubleOf } from './directory-trouble';
import type { PackWriter } from './pack-writer';

const PIECE_BYTES = 1024 * 1024;

/** Bytes of a file, or what the platform raised instead. */
export type Piece = Result<Uint8Array<ArrayBuffer>, unknown>;

export async function readPiece(file: File, at: number): Promise<Piece> {
  try {
    return ok(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()));
  } catch (error) {
    troubleOf(error);
    return fail(error);
  }
}

/** Appends a whole file, whose first piece is there already. A failure is the file's; the pack's are thrown. */
export async function appendFile(
  pack: PackWriter,
  file: File,
  head: Piece,
  signal: AbortSignal,
): Promise<Result<void, unknown>> {
  let piece = head;
  for (let at = 0; ; at += PIECE_BYTES) {
    if (!piece.ok) return piece;
    await pack.append(piece.value);
    if (at + PIECE_BYTES >= file.size) return ok();
    if (signal.aborted) throw abortError();
    piece = await readPiece(file, at + PIECE_BYTES);
  }
}
