import { canonicalJson } from './canonical';
import type { EffectRow } from './effect';
import { effectKey, type EffectKey } from './ids';
import type { Digest } from './ports';

/** The logical operation: the nth change of a target by a step of a task. Attempts and payload are no part of it. */
export async function effectKeyOf(
  digest: Digest,
  { taskId, stepKey, kind, target, nth }: Pick<EffectRow, 'taskId' | 'stepKey' | 'kind' | 'target' | 'nth'>,
): Promise<EffectKey> {
  return effectKey(await digest.text(canonicalJson({ v: 1, taskId, stepKey, kind, target, nth })));
}
