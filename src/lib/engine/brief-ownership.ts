import type { Failure } from '../core/failure';
import type { EndpointId } from '../core/ids';
import type { TaskRow } from '../core/task';
import { CommitRefused } from './committer';
import { answerEffects, type EffectAnswers } from './effects/answer-effects';
import type { EnginePorts } from './engine-ports';
import { OwnedTask } from './owned-task';
import { recoverRunning } from './recover-steps';
import { endOf } from './take-over';
import { endTask } from './task-endings';
import { untilStored } from './until-stored';
import { Wakeup } from './wakeup';
import { writeOutput } from './write-output';

interface BriefOwnershipOptions {
  readonly ports: EnginePorts;
  /** Gives up when it fires. */
  readonly signal: AbortSignal;
  readonly onOwned: (epoch: number) => void;
}

/** Changes of a task that nobody runs: it is owned for one change of its row, by the holder of its lock. */
export class BriefOwnership {
  readonly #options: BriefOwnershipOptions;

  constructor(options: BriefOwnershipOptions) {
    this.#options = options;
  }

  widen(row: TaskRow, concurrency: number): Promise<unknown> {
    return this.#asOwner(row, (owned) =>
      owned.change({ options: { ...owned.row.options, concurrency } }, 'concurrency_changed', null, { concurrency }),
    );
  }

  /** What the old endpoint's model can read says nothing of the new one's. Null when it could not be saved. */
  move(row: TaskRow, endpointId: EndpointId): Promise<TaskRow | null> {
    return this.#asOwner(row, async (owned) => {
      await owned.change({ endpointId, contextTokens: null }, 'endpoint_changed');
      return owned.row;
    });
  }

  /** A task that nobody runs is paused or cancelled in its row alone. */
  settle(row: TaskRow, command: 'pause' | 'cancel'): Promise<unknown> {
    const ended = { failure: null, hold: null } as const;
    const finishedMs = this.#options.ports.clock.now();
    return this.#asOwner(row, (owned) =>
      command === 'pause'
        ? owned.change({ ...ended, status: 'paused', reason: 'user' }, 'paused', null, { reason: 'user' })
        : owned.change({ ...ended, status: 'cancelled', reason: null, finishedMs }, 'cancelled'),
    );
  }

  /** A defect ended the work on it. False when that could not be saved. */
  async end(row: TaskRow, why: Failure): Promise<boolean> {
    return (await this.#asOwner(row, (owned) => endTask(owned, 'paused', why))) !== null;
  }

  /** Saves what the person said of effects that wait for them. Resolves to how many that settled. */
  async answer(row: TaskRow, answers: EffectAnswers): Promise<number> {
    const { ports, signal } = this.#options;
    const answered = await this.#asOwner(row, (owned) =>
      untilStored(ports.clock, signal, () => answerEffects(owned, answers)),
    );
    return answered?.ok ? answered.value : 0;
  }

  /** Writes the finished report and results into the person's folder. */
  async write(row: TaskRow): Promise<void> {
    const { ports, signal } = this.#options;
    const key = row.report;
    if (key === null) return;
    const report = await untilStored(ports.clock, signal, () => ports.store.result(key));
    if (!report.ok || !report.value) return;
    const text = report.value.output;
    await this.#asOwner(row, (owned) => writeOutput(ports, owned, text));
  }

  /** Null when another takes the task, and when the signal fires: it is given up then. */
  async #asOwner<T>(row: TaskRow, work: (owned: OwnedTask) => Promise<T>): Promise<T | null> {
    const { ports, signal, onOwned } = this.#options;
    const { store, clock } = ports;
    const isOver = () => signal.aborted;
    if (isOver()) return null;
    const taken = await untilStored(clock, signal, () => store.own(row.id, clock.now()));
    if (!taken.ok) return null;
    onOwned(taken.value.epoch);
    const owned = new OwnedTask(ports, taken.value, signal, new Wakeup());
    const leave = () => owned.abandon();
    if (isOver()) leave();
    signal.addEventListener('abort', leave);
    try {
      await this.#recover(owned, row.updatedMs);
      return await work(owned);
    } catch (error) {
      if (!(error instanceof CommitRefused)) throw error;
      return null;
    } finally {
      signal.removeEventListener('abort', leave);
      await owned.drained();
    }
  }

  /** Here and not in the next run: by then it could not be told any more when the last owner last saved something. */
  async #recover(owned: OwnedTask, lastSeenMs: number): Promise<void> {
    const { ports, signal } = this.#options;
    const { store, clock } = ports;
    const end = endOf(ports.endings(), lastSeenMs, clock.now());
    const submit = owned.submit.bind(owned);
    await untilStored(clock, signal, () => recoverRunning(owned.row, store, submit, end));
  }
}
