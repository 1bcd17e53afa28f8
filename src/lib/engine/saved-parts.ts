import type { CommitDraft } from '../core/commit';
import { addUsage, NO_USAGE, type Usage } from '../core/usage';
import { addSaved, lessSaved, NOTHING_SAVED, savedBy, type Saved } from '../core/saved';
import type { StepRow } from '../core/step';
import type { Inference, StepOutcome } from './job';
import type { OwnedTask } from './owned-task';
import { donePart, stepDraft } from './step-rows';

type Spent = Pick<StepOutcome, 'usage' | 'requests' | 'reusedRequests' | 'saved'>;

/**
 * The pieces of one try that are saved before its step is. What an answer cost is counted with the piece that brought
 * it: a step that is ended before it is done has been paid for up to there.
 */
export class SavedParts {
  readonly #owned: OwnedTask;
  readonly #step: StepRow;
  #usage: Usage = NO_USAGE;
  #requests = 0;
  #saved: Saved = NOTHING_SAVED;

  constructor(owned: OwnedTask, step: StepRow) {
    this.#owned = owned;
    this.#step = step;
  }

  /** Settles when the piece is saved, or was so before. */
  async save(index: number, inference: Inference): Promise<void> {
    const { ports, row } = this.#owned;
    const part = donePart(this.#step, index, inference, ports.clock.now());
    if (inference.reused) {
      const before = await ports.store.step(row.id, part.key);
      // It says what was paid for it; the same answer found again says only that it was found.
      if (before.ok && before.value?.resultKey === part.resultKey) return;
    } else {
      this.#usage = addUsage(this.#usage, inference.usage);
      this.#requests += 1;
      this.#saved = addSaved(this.#saved, savedBy(inference.continuation));
    }
    const cost: CommitDraft = inference.reused
      ? {}
      : {
          usage: inference.usage,
          requests: 1,
          saved: savedBy(inference.continuation),
        };
    await this.#owned.submit({ ...stepDraft(null, part), ...cost, results: [inference.row] });
  }

  /** What of a try's cost is not counted yet. */
  uncounted({ usage, requests, reusedRequests, saved }: Spent): Spent {
    return {
      usage: {
        promptTokens: usage.promptTokens - this.#usage.promptTokens,
        completionTokens: usage.completionTokens - this.#usage.completionTokens,
        estimated: usage.estimated,
      },
      requests: requests - this.#requests,
      reusedRequests,
      saved: lessSaved(saved, this.#saved),
    };
  }
}
