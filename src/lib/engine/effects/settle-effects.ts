import { FOLDER_WRITE, type EffectRow } from '../../core/effect';
import { failure, type Failure } from '../../core/failure';
import { ok, type Result } from '../../core/result';
import type { OwnedTask } from '../owned-task';
import { decide } from './decide';
import type { Wakeup } from '../wakeup';
import { UNSEEN, type Seen } from './effect-doer';
import { decided, questionsIn } from './effect-ledger';

const PAGE = 1_000;

/**
 * Settles what the last owner meant to do and may have done. What was carried out is said to be; what nobody can tell
 * is put to the person, before anything is built on it; the rest is left to whoever meant it. Files of the output are
 * looked at when they are written. `answered` is notified by the person's answer.
 */
export async function settleEffects(owned: OwnedTask, answered: Wakeup): Promise<Result<void>> {
  const recovered = await recover(owned);
  if (!recovered.ok) return recovered;
  for (;;) {
    const question = await unanswered(owned);
    if (!question.ok) return question;
    if (question.value === null) return ok();
    await owned.park(question.value, answered);
  }
}

async function recover(owned: OwnedTask): Promise<Result<void>> {
  const { ports, row: task } = owned;
  const intended = await owned.obtain(() => ports.store.effectsInState(task.id, 'intended', PAGE));
  if (!intended.ok) return intended;
  const effects: EffectRow[] = [];
  for (const row of intended.value) {
    if (row.kind === FOLDER_WRITE) continue;
    const seen = await owned.obtain(() => look(owned, row));
    if (!seen.ok) return seen;
    const decision = decide({ ...row, seen: seen.value });
    const next = decided(row, decision, seen.value, ports.clock.now());
    if (next !== row) effects.push(next);
  }
  if (effects.length > 0) await owned.submit({ effects, activity: questionsIn(effects), durability: 'strict' });
  return ok();
}

async function unanswered(owned: OwnedTask): Promise<Result<Failure | null>> {
  const { store } = owned.ports;
  for (const state of ['in_doubt', 'contested'] as const) {
    const waiting = await owned.obtain(() => store.effectsInState(owned.row.id, state, PAGE));
    if (!waiting.ok) return waiting;
    const first = waiting.value.find(({ kind }) => kind !== FOLDER_WRITE);
    if (first) return ok(failure('effect_in_doubt', { details: { target: first.target } }));
  }
  return ok(null);
}

function look(owned: OwnedTask, { kind, target }: EffectRow): Promise<Result<Seen>> {
  const doer = owned.ports.doers.get(kind);
  return doer ? doer.look(target) : Promise.resolve(ok(UNSEEN));
}
