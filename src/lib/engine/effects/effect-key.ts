import { canonicalJson } from '../../core/canonical';
import type { EffectRow } from '../../core/effect';
import { effectKey, type EffectKey } from '../../core/ids';
import type { Digest } from '../../core/ports';

/** The logical operation: the nth change of a target by a step of a task. Attempts and payload are no part of it. */
export async function effectKeyOf(
  digest: Digest,
  { taskId, stepKey, kind, target, nth }: Pick<EffectRow, 'taskId' | 'stepKey' | 'kind' | 'target' | 'nth'>,
): Promise<EffectKey> {
  return effectKey(await digest.text(canonicalJson({ v: 1, taskId, stepKey, kind, target, nth })));
}
