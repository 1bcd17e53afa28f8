import type { ContentDigest } from '../core/ids';
import type { Failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import { UNSEEN, type EffectDoer, type Seen } from '../engine/effects/effect-doer';

/** A kind of effect that counts what is carried out. It cannot be looked at, unless it is told what its targets hold. */
export class FakeDoer implements EffectDoer {
  readonly kind = 'fake_post';
  readonly atOnce = 1;
  readonly sent: string[] = [];
  readonly holds = new Map<string, ContentDigest | null>();
  refusal: Failure | null = null;

  look(target: string): Promise<Result<Seen>> {
    const held = this.holds.get(target);
    return Promise.resolve(ok(held === undefined ? UNSEEN : held));
  }

  carryOut(target: string, payload: string): Promise<Result<string | null>> {
    if (this.refusal) return Promise.resolve(fail(this.refusal));
    this.sent.push(`${target} ${payload}`);
    return Promise.resolve(ok(null));
  }
}
