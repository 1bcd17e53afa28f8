import type { TaskRow } from '../core/task';
import { CommitRefused } from './committer';
import { answerEffects, type EffectAnswers } from './effects/answer-effects';
import type { EnginePorts } from './engine-ports';
import { OwnedTask } from './owned-task';
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

  widen(row: TaskRow, concurrency: number): Promise<void> {
    return this.#asOwner(row, (owned) =>
      owned.change({ options: { ...owned.row.options, concurrency } }, 'concurrency_changed', null, { concurrency }),
    );
  }

  /** A task that nobody runs is paused or cancelled in its row alone. */
  settle(row: TaskRow, command: 'pause' | 'cancel'): Promise<void> {
    const ended = { failure: null, hold: null } as const;
    const finishedMs = this.#options.ports.clock.now();
    return this.#asOwner(row, (owned) =>
      command === 'pause'
        ? owned.change({ ...ended, status: 'paused', reason: 'user' }, 'paused', null, { reason: 'user' })
        : owned.change({ ...ended, status: 'cancelled', reason: null, finishedMs }, 'cancelled'),
    );
  }

  /** Saves what the person said of effects that wait for them. */
  answer(row: TaskRow, answers: EffectAnswers): Promise<void> {
    return this.#asOwner(row, (owned) => answerEffects(owned, answers));
  }

  /** Writes the finished report and results into the person's folder. */
  async write(row: TaskRow): Promise<void> {
    const { ports } = this.#options;
    if (!row.report) return;
    const report = await ports.store.result(row.report);
    if (!report.ok || !report.value) return;
    const text = report.value.output;
    await this.#asOwner(row, (owned) => writeOutput(ports, owned, text));
  }

  /** Given up when another takes the task, and when the signal fires. */
  async #asOwner(row: TaskRow, work: (owned: OwnedTask) => Promise<unknown>): Promise<void> {
    const { ports, signal, onOwned } = this.#options;
    const { store, clock } = ports;
    const taken = await untilStored(clock, signal, () => store.own(row.id, clock.now()));
    if (!taken.ok) return;
    onOwned(taken.value.epoch);
    const owned = new OwnedTask(ports, taken.value, signal, new Wakeup());
    const leave = () => owned.abandon();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    try {
      await work(owned);
    } catch (error) {
      if (!(error instanceof CommitRefused)) throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      await owned.drained();
    }
  }
}
