import type { Failure } from '../core/failure';
import type { ResultRow } from '../core/results';
import { addSaved, NOTHING_SAVED, savedBy, type Saved } from '../core/saved';
import type { FileFingerprint, Reading } from '../core/step';
import { NO_USAGE, addUsage, type Usage } from '../core/usage';
import type { Inference, StepDone, StepFailed } from '../engine/job';

/** What a step's answers cost, summed while they come in, and the outcome made of it. */
export class Tally {
  #usage: Usage = NO_USAGE;
  #requests = 0;
  #reused = 0;
  #saved: Saved = NOTHING_SAVED;
  #isTruncated = false;
  #isInputCut = false;
  #unusable: ResultRow | null = null;

  add(answer: Inference): void {
    this.addUnused(answer);
    this.#isTruncated ||= answer.finishReason === 'length';
    this.#isInputCut ||= answer.inputCut !== undefined;
  }

  /** An answer that was paid for and is no part of the result. */
  addUnused(answer: Inference): void {
    this.#usage = addUsage(this.#usage, answer.usage);
    if (answer.reused) this.#reused += 1;
    else this.#requests += 1;
    this.#saved = addSaved(this.#saved, savedBy(answer.continuation));
  }

  /** Shown with the failure, should the step fail. */
  keep(answer: Inference): void {
    this.#unusable = answer.row;
  }

  /** What was taken of an answer is not the whole of it. */
  markCut(): void {
    this.#isTruncated = true;
  }

  done(
    answer: Inference,
    about: { file: FileFingerprint | null; reading: Reading | null; guessedEncoding: boolean },
  ): StepDone {
    return {
      ok: true,
      inputHash: answer.inputHash,
      result: answer.row,
      file: about.file,
      reading: about.reading,
      flags: {
        reused: this.#requests === 0,
        truncated: this.#isTruncated,
        guessedEncoding: about.guessedEncoding,
        ...(this.#isInputCut && { inputCut: true }),
      },
      ...this.#spent(),
    };
  }

  failed(failure: Failure, file: FileFingerprint | null = null, reading: Reading | null = null): StepFailed {
    const result = this.#unusable === null ? {} : { result: this.#unusable };
    return { ok: false, failure, file, reading, ...result, ...this.#spent() };
  }

  #spent() {
    return { usage: this.#usage, requests: this.#requests, reusedRequests: this.#reused, saved: this.#saved };
  }
}
