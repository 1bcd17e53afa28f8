import { FOLDER_WRITE, type EffectRow } from '../core/effect';
import { effectKeyOf } from '../core/effect-key';
import type { TaskId } from '../core/ids';
import type { Digest } from '../core/ports';
import { createDigest } from '../platform/digest-webcrypto';
import { rows } from './page-rows';

const MOST = 1_000;

export interface KeptFiles {
  /** The report in the folder is the person's own. */
  readonly report: boolean;
  /** How many more files are. */
  readonly others: number;
}

export const NONE_KEPT: KeptFiles = { report: false, others: 0 };

/** The files of a task's output that the person kept as they had changed them: nothing was written there since. */
export async function keptFiles(
  read: Pick<typeof rows, 'effect' | 'effects'>,
  digest: Digest,
  id: TaskId,
): Promise<KeptFiles> {
  const abandoned = (await read.effects(id, 'abandoned', MOST)).filter(({ kind }) => kind === FOLDER_WRITE);
  const kept = await Promise.all(abandoned.map((effect) => isLast(effect)));
  const targets = abandoned.flatMap(({ target }, index) => (kept[index] ? [target] : []));
  const report = targets.some((target) => target.split('/').length === 2 && target.endsWith('/report.md'));
  return { report, others: targets.length - (report ? 1 : 0) };

  async function isLast(effect: EffectRow): Promise<boolean> {
    // A live query follows what is awaited through its own kind of promise.
    const next = await Promise.resolve(effectKeyOf(digest, { ...effect, nth: effect.nth + 1 }));
    return (await read.effect(id, next)) === null;
  }
}

/** For live queries of the page. */
export function keptFilesNow(id: TaskId): Promise<KeptFiles> {
  return keptFiles(rows, createDigest(), id);
}
