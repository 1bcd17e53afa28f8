import { ok, type Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { Inference, StepContext } from '../engine/job';
import { condense } from './condense';
import { shrinkOf } from './refused-tries';
import { shownName, type ReportRoom } from './report-room';
import type { NamedText } from './requests';
import type { Tally } from './tally';

const LEAST_PIECE_TOKENS = 32;

/** Makes what one step of the report tree reads short enough for it, and saves every piece of that as a part of the step. */
export class ShortenedNotes {
  readonly #context: StepContext;
  readonly #room: ReportRoom;
  readonly #tally: Tally;
  readonly #shrink: number;
  #saved = 0;

  constructor(step: StepRow, context: StepContext, room: ReportRoom, tally: Tally) {
    this.#context = context;
    this.#room = room;
    this.#tally = tally;
    this.#shrink = shrinkOf(step);
  }

  condensed(text: string, targetTokens: number): Promise<Result<Inference>> {
    const { answerTokens, matterTokens } = this.#room;
    const pieceTokens = Math.max(LEAST_PIECE_TOKENS, Math.floor(matterTokens / this.#shrink));
    return condense(this.#context, text, {
      room: { answerTokens, matterTokens: pieceTokens },
      targetTokens: Math.min(targetTokens, Math.floor(pieceTokens / 2)),
      tally: this.#tally,
      save: (answer) => this.#context.savePart(this.#saved++, answer),
    });
  }

  /** The tree is planned so that notes fit as they are; they are shortened when the server counted more than that. */
  async fitting(notes: readonly NamedText[]): Promise<Result<readonly NamedText[]>> {
    const { extractor } = this.#context;
    const shareTokens = Math.floor(this.#room.matterTokens / this.#shrink / notes.length);
    const fitting: NamedText[] = [];
    for (const note of notes) {
      const name = shownName(this.#context, this.#room, note.name);
      if (this.#shrink === 1 || extractor.estimateTokens(note.text) <= shareTokens) {
        fitting.push({ name, text: note.text });
        continue;
      }
      const shorter = await this.condensed(note.text, shareTokens);
      if (!shorter.ok) return shorter;
      fitting.push({ name, text: shorter.value.text });
    }
    return ok(fitting);
  }
}
