import { expect, it } from 'vitest';
import { EFFECT_STATES, type EffectAnswer, type EffectRow } from '../../core/effect';
import { failure } from '../../core/failure';
import { NO_FAULTS, type FaultPlan, type FaultPoint } from '../../core/fault-points';
import { contentDigest, fileStepKey } from '../../core/ids';
import { EngineBench, TASK } from '../../testing/engine-bench';
import { FakeDoer } from '../../testing/fake-doer';
import { FaultScript } from '../../testing/fault-script';
import { OwnedTask } from '../owned-task';
import { Wakeup } from '../wakeup';
import { answerEffects } from './answer-effects';
import { EffectLedger, type Operation } from './effect-ledger';

const STEP = fileStepKey('a.txt');

/** One post after another owner has ended: a store that stays, and a doer that remembers what was sent. */
class LedgerBench {
  readonly engine = new EngineBench();
  readonly doer = new FakeDoer();

  async owner(faults: FaultPlan = NO_FAULTS): Promise<OwnedTask> {
    const taken = await this.engine.store.own(TASK, 0);
    if (!taken.ok) throw new Error(taken.failure.code);
    const ports = { ...this.engine.ports, faults };
    return new OwnedTask(ports, taken.value, new AbortController().signal, new Wakeup());
  }

  async post(payload = 'hello', faults: FaultPlan = NO_FAULTS, nth = 1) {
    const owned = await this.owner(faults);
    const seen = await this.doer.look('/orders');
    if (!seen.ok) throw new Error(seen.failure.code);
    const after = contentDigest(payload);
    const operation: Operation = {
      stepKey: STEP,
      target: '/orders',
      nth,
      before: null,
      after,
      payload,
      seen: seen.value,
    };
    return new EffectLedger(owned, this.doer).carryOut([operation]);
  }

  async killedAt(point: FaultPoint): Promise<void> {
    const faults = new FaultScript(point, () => {
      throw new Error('killed');
    });
    await expect(this.post('hello', faults)).rejects.toThrow('killed');
  }

  async row(): Promise<EffectRow | undefined> {
    for (const state of EFFECT_STATES) {
      const rows = await this.engine.store.effectsInState(TASK, state, 9);
      if (rows.ok && rows.value[0]) return rows.value[0];
    }
    return undefined;
  }

  async answer(answer: EffectAnswer): Promise<void> {
    const row = await this.row();
    if (row) await answerEffects(await this.owner(), { questions: [row], answer });
  }
}

async function bench(): Promise<LedgerBench> {
  const made = new LedgerBench();
  await made.engine.createTask();
  return made;
}

it('seed defect 16: does it once however often it is asked, an answer of nothing included', async () => {
  const ledger = await bench();
  for (let n = 0; n < 3; n += 1) {
    const posted = await ledger.post();
    expect(posted.ok && posted.value[0]).toMatchObject({
      state: 'done',
      result: null,
      stepKey: STEP,
      kind: 'fake_post',
    });
  }
  expect(ledger.doer.sent).toEqual(['/orders hello']);
});

it('seed defect 19: does another operation on the same target', async () => {
  const ledger = await bench();
  await ledger.post('hello', NO_FAULTS, 1);
  await ledger.post('hello', NO_FAULTS, 2);
  expect(ledger.doer.sent).toHaveLength(2);
});

it('refuses another payload under the same key', async () => {
  const ledger = await bench();
  await ledger.post('hello');
  const posted = await ledger.post('something else');
  expect(!posted.ok && posted.failure.code).toBe('effect_conflict');
  expect(ledger.doer.sent).toHaveLength(1);
});

it('seed defect 18: saves what it means to do before it does it, and strictly', async () => {
  const ledger = await bench();
  const saved: string[] = [];
  const commit = ledger.engine.store.commit.bind(ledger.engine.store);
  ledger.engine.store.commit = (each) => {
    saved.push(`${each.effects.map(({ state }) => state).join()} ${each.durability}, sent ${ledger.doer.sent.length}`);
    return commit(each);
  };
  await ledger.post();
  expect(saved).toEqual(['intended strict, sent 0', 'done strict, sent 1']);
});

const MAY_BE_SENT = ['after-intent', 'after-effect', 'before-done'] as const;

it.each(MAY_BE_SENT)('killed %s, asks where it cannot look, and does nothing meanwhile', async (point) => {
  const ledger = await bench();
  await ledger.killedAt(point);
  const sent = ledger.doer.sent.length;
  for (let n = 0; n < 2; n += 1) {
    const posted = await ledger.post();
    expect(posted.ok && posted.value[0]?.state).toBe('in_doubt');
  }
  expect(ledger.doer.sent).toHaveLength(sent);
  const lines = await ledger.engine.store.activity(TASK, 9);
  expect(lines.ok && lines.value.filter(({ what }) => what === 'effect_in_doubt')).toHaveLength(1);
});

it.each([
  ['sent', 'done', 1],
  ['again', 'done', 2],
  ['skip', 'abandoned', 1],
] as const)('answered with %s, it ends as %s', async (answer, state, sent) => {
  const ledger = await bench();
  await ledger.killedAt('after-effect');
  await ledger.post();
  await ledger.answer(answer);
  const posted = await ledger.post();
  expect(posted.ok && posted.value[0]?.state).toBe(state);
  expect(ledger.doer.sent).toHaveLength(sent);
});

it('answered with “again” and killed once more, is in doubt once more', async () => {
  const ledger = await bench();
  await ledger.killedAt('after-effect');
  await ledger.post();
  await ledger.answer('again');
  await ledger.killedAt('after-effect');
  const posted = await ledger.post();
  expect(posted.ok && posted.value[0]?.state).toBe('in_doubt');
  expect(ledger.doer.sent).toHaveLength(2);
});

it('takes no answer to a question that was not asked', async () => {
  const ledger = await bench();
  await ledger.post();
  for (const answer of ['overwrite', 'keep', 'sent', 'again', 'skip'] as const) await ledger.answer(answer);
  expect((await ledger.row())?.state).toBe('done');
  expect(ledger.doer.sent).toHaveLength(1);
});

it('takes a failure for no proof that nothing was done', async () => {
  const ledger = await bench();
  ledger.doer.refusal = failure('stream_cut');
  const first = await ledger.post();
  expect(!first.ok && first.failure.code).toBe('stream_cut');
  ledger.doer.refusal = null;
  const second = await ledger.post();
  expect(second.ok && second.value[0]?.state).toBe('in_doubt');
});

it('asks instead of doing what somebody else has come before in the last moment', async () => {
  const ledger = await bench();
  ledger.doer.holds.set('/orders', null);
  const faults = new FaultScript('after-intent', () => {
    ledger.doer.holds.set('/orders', contentDigest('theirs'));
  });
  const posted = await ledger.post('hello', faults);
  expect(posted.ok && posted.value[0]).toMatchObject({ state: 'contested', found: 'theirs' });
  expect(ledger.doer.sent).toEqual([]);
});
