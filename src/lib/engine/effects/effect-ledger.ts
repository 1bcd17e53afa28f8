import type { ActivityKind, NewActivity } from '../../core/activity';
import { placeOf, WAITING_STATES, type EffectRow } from '../../core/effect';
import { effectKeyOf } from '../../core/effect-key';
import { failure } from '../../core/failure';
import type { ContentDigest, StepKey } from '../../core/ids';
import { allOk, fail, ok, type Result } from '../../core/result';
import type { OwnedTask } from '../owned-task';
import { untilStored } from '../until-stored';
import { decide, type Decision } from './decide';
import { UNSEEN, type EffectDoer, type Seen } from './effect-doer';

/** Reading a result or a report takes milliseconds. */
const LONG_LOOK_MS = 1_000;
/** A drive that is always slow is taken at its word in the end. */
const MOST_LOOKS = 3;

/** One logical operation, the same at every attempt. */
export interface Operation {
  readonly stepKey: StepKey | null;
  readonly target: string;
  /** The how-many-th change of the target by that step, from 1. */
  readonly nth: number;
  /** What the target may hold for it to be changed. */
  readonly before: ContentDigest | null;
  readonly after: ContentDigest;
  readonly payload: string;
  /** What the target holds, looked at just now. */
  readonly seen: Seen;
}

interface Work {
  readonly operation: Operation;
  readonly decision: Decision;
  row: EffectRow;
}

/**
 * Carries effects of one kind out, each exactly once however often it is asked: what is meant is saved before it is done,
 * and what became of it after. Where a kill leaves that open, the target tells, or the person.
 */
export class EffectLedger {
  readonly #owned: OwnedTask;
  readonly #doer: EffectDoer;

  constructor(owned: OwnedTask, doer: EffectDoer) {
    this.#owned = owned;
    this.#doer = doer;
  }

  /**
   * Resolves to the rows of the operations, in order, as they are left: `done`, `abandoned` or waiting for the person; or
   * still `intended` when the owner is stopped. `alongside` is saved in the same commit as the intents. Failures:
   * `effect_conflict`, those of the doer; what was done until then is saved.
   */
  async carryOut(
    operations: readonly Operation[],
    alongside: readonly EffectRow[] = [],
  ): Promise<Result<readonly EffectRow[]>> {
    const { faults } = this.#owned.ports;
    const begun = allOk(await Promise.all(operations.map((operation) => this.#work(operation))));
    if (!begun.ok) return begun;
    const works = begun.value;
    const due = works.filter(({ decision }) => decision === 'do');
    const changed = works.flatMap(({ row }) => (row.seq === 0 ? [row] : []));
    await this.#save([...alongside, ...changed]);
    if (due.length > 0) await faults.reach('after-intent', this.#owned.row.id);
    const done = await this.#doAll(due);
    const outcomes = due.flatMap(({ row }) => (row.state === 'intended' ? [] : [row]));
    if (outcomes.length > 0) {
      await faults.reach('before-done', this.#owned.row.id);
      await this.#save(outcomes);
    }
    return done.ok ? ok(works.map(({ row }) => row)) : done;
  }

  /** A row that is to be saved has no seq yet. */
  async #work(operation: Operation): Promise<Result<Work>> {
    const { ports, row: task } = this.#owned;
    const { payload: _, seen, ...meant } = operation;
    const identity = { ...meant, taskId: task.id, kind: this.#doer.kind };
    const key = await effectKeyOf(ports.digest, identity);
    const found = await untilStored(ports.clock, this.#owned.signal, () => ports.store.effect(task.id, key));
    if (!found.ok) return found;
    const kept = found.value;
    if (kept !== null && kept.after !== operation.after) {
      return fail(failure('effect_conflict', { details: { target: operation.target } }));
    }
    const { before: expected, after } = kept ?? operation;
    const decision = decide({ state: kept?.state ?? 'new', before: expected, after, seen });
    const nowMs = ports.clock.now();
    const fresh = { v: 1, ...identity, key, found: null, result: null, intendedMs: nowMs } as const;
    const before = kept ?? { ...fresh, seq: 0, state: 'intended', settledMs: null };
    return ok({ operation, decision, row: decided(before, decision, seen, nowMs) });
  }

  async #doAll(due: readonly Work[]): Promise<Result<void>> {
    const queue = due.values();
    let outcome: Result<void> = ok();
    const worker = async () => {
      for (const work of queue) {
        if (!outcome.ok || this.#owned.signal.aborted) return;
        const done = await this.#do(work);
        if (!done.ok) outcome = done;
      }
    };
    const workers = await Promise.allSettled(Array.from({ length: this.#doer.atOnce }, worker));
    const broken = workers.find((each) => each.status === 'rejected');
    if (broken) throw broken.reason;
    return outcome;
  }

  /** Looks once more: between the look before and now somebody may have saved a file of theirs. */
  async #do(work: Work): Promise<Result<void>> {
    const { target, payload } = work.operation;
    const seen = await this.#lookNow(target);
    if (!seen.ok) return seen;
    const { faults, clock } = this.#owned.ports;
    const decision = seen.value === UNSEEN ? 'do' : decide({ ...work.row, seen: seen.value });
    if (decision !== 'do') {
      work.row = decided(work.row, decision, seen.value, clock.now());
      return ok();
    }
    const result = await this.#doer.carryOut(target, payload);
    if (!result.ok) return result;
    await faults.reach('after-effect', this.#owned.row.id);
    work.row = { ...work.row, state: 'done', result: result.value, settledMs: clock.now() };
    return ok();
  }

  /** After a look that took long the tab may have been frozen in it: the task another's, the file the person's again. */
  async #lookNow(target: string): Promise<Result<Seen>> {
    const { clock, store } = this.#owned.ports;
    for (let look = 1; ; look += 1) {
      const beganMs = clock.monotonicMs();
      const seen = await this.#doer.look(target);
      if (!seen.ok || clock.monotonicMs() - beganMs < LONG_LOOK_MS) return seen;
      const { id, epoch } = this.#owned.row;
      const ours = await untilStored(clock, this.#owned.signal, () => store.beat(id, epoch));
      if (!ours.ok) return ours;
      if (look === MOST_LOOKS) return seen;
    }
  }

  async #save(effects: readonly EffectRow[]): Promise<void> {
    if (effects.length === 0) return;
    await this.#owned.submit({ effects, activity: questionsIn(effects), durability: 'strict' });
  }
}

/** The row as the decision leaves it, without a seq when it has to be saved. */
export function decided(row: EffectRow, decision: Decision, seen: Seen, nowMs: number): EffectRow {
  const found = seen === UNSEEN ? null : seen;
  switch (decision) {
    case 'settled':
      return row;
    case 'done':
      return { ...row, seq: 0, state: 'done', settledMs: nowMs };
    case 'do':
      return row.state === 'intended' ? row : { ...row, seq: 0, state: 'intended' };
    case 'ask':
      return row.state === 'contested' && row.found === found ? row : { ...row, seq: 0, state: 'contested', found };
    case 'in_doubt':
      return row.state === 'in_doubt' ? row : { ...row, seq: 0, state: 'in_doubt' };
  }
}

/** One line for all of a commit: thousands of results may have been edited by one command. */
export function questionsIn(effects: readonly EffectRow[]): NewActivity[] {
  return WAITING_STATES.flatMap((state) => {
    const asked = effects.filter((each) => each.state === state);
    if (asked[0] === undefined) return [];
    const what: ActivityKind = state === 'contested' ? 'foreign_edit' : 'effect_in_doubt';
    return [{ what, details: { path: placeOf(asked[0]), count: asked.length }, failure: null }];
  });
}
