import type { Failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import type { TaskRow } from '../core/task';
import { watchDeadline } from './deadline';
import { failuresSeen, isTooManyFailed, tooManyFailures } from './failure-share';
import type { OwnedTask } from './owned-task';
import type { Wakeup } from './wakeup';
import type { WorkLoop } from './work-loop';

const QUESTIONS: readonly FailureCode[] = ['too_many_failures', 'deadline_reached'];

interface RunQuestionsOptions {
  readonly owned: OwnedTask;
  /** Notified by the person's "continue" alone: a look at the page is no answer. */
  readonly answer: Wakeup;
  /** From here on the task's status is decided. */
  readonly isClosing: () => boolean;
}

/** What only the person can answer while a task runs: whether to go on although many files fail, or past its time. */
export class RunQuestions {
  readonly #options: RunQuestionsOptions;
  #isAsking = false;

  constructor(options: RunQuestionsOptions) {
    this.#options = options;
  }

  isOne({ code }: Failure): boolean {
    return QUESTIONS.includes(code);
  }

  /** Pauses until the person says to go on. To do so is to have been told: what was asked about is looked at anew from here. */
  async ask(why: Failure): Promise<void> {
    const { owned, answer } = this.#options;
    const seen = why.code === 'too_many_failures' ? { failuresSeen: failuresSeen(owned.row.counts) } : {};
    const anew = why.code === 'deadline_reached' ? { deadlineFromMs: owned.activeMs } : {};
    await owned.park(why, answer, { ...seen, ...anew });
  }

  /** Stops handing out when too many files failed. */
  async lookAtFailures(row: TaskRow, loop: WorkLoop): Promise<void> {
    if (this.#isAsking || !isTooManyFailed(row)) return;
    this.#isAsking = true;
    const why = await tooManyFailures(row, this.#options.owned.ports.store);
    void loop.waitFor(why).finally(() => (this.#isAsking = false));
  }

  watchDeadline(loop: WorkLoop): void {
    const { owned, isClosing } = this.#options;
    void watchDeadline({
      clock: owned.ports.clock,
      signal: owned.signal,
      row: () => owned.row,
      activeMs: () => owned.activeMs,
      onSlept: (lateMs) => owned.slept(lateMs),
      reached: async (why) => {
        if (isClosing()) return false;
        await loop.waitFor(why);
        return true;
      },
    });
  }
}
