import { resultKey } from '../core/ids';
import { ok, type Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';
import { allAnswers } from './answers';
import { ask } from './ask';
import type { Budget } from './budget';
import { inARow } from './in-a-row';
import { condenseRequest } from './requests';
import type { Tally } from './tally';

/** Room that an answer leaves free, so that the answers of two pieces always fit one piece of the next round. */
const SHARE = 0.9;
/** Answers are asked for shorter than they may be: estimates of them are high. */
const ASKED_SHARE = 0.75;

interface Condensing {
  readonly room: Budget;
  /** What the condensed text may have; at most half of the room's matter. */
  readonly targetTokens: number;
  readonly tally: Tally;
  /** Saves the answer to a piece, so that a kill repeats none of it. */
  readonly save: (answer: Inference) => void;
}

/**
 * A text made short enough to stand beside others in one request: split, every piece condensed, and that again while
 * what they make together is still too long. No request grows with the text. An answer longer than it was allowed to
 * be is taken up to there and marked as cut, so that a server which heeds no limit cannot keep this going for ever.
 */
export async function condense(
  context: StepContext,
  text: string,
  { room, targetTokens, tally, save }: Condensing,
): Promise<Result<Inference>> {
  const { extractor, task } = context;
  const capTokens = Math.max(1, Math.floor(targetTokens * SHARE));
  const answerTokens = Math.min(room.answerTokens, Math.max(1, Math.floor(targetTokens * ASKED_SHARE)));
  let left = text;
  let before = Infinity;
  for (;;) {
    const pieces = extractor.split(left, room.matterTokens);
    const isStuck = pieces.length >= before;
    const asked = pieces.map(async (piece) => {
      const answer = await ask(context, answerTokens, (maxTokens) =>
        condenseRequest(task.options, piece.text, answerTokens, maxTokens),
      );
      if (!answer.ok) return answer;
      save(answer.value);
      const taken = cutTo(context, answer.value, capTokens);
      tally.add(taken);
      return ok(taken);
    });
    const answers = await allAnswers(context, asked);
    if (!answers.ok) return answers;
    const [only] = answers.value;
    const whole = answers.value.length === 1 && only ? only : await inARow(context, answers.value);
    if (extractor.estimateTokens(whole.text) <= targetTokens) return ok(whole);
    if (isStuck) {
      const taken = cutTo(context, whole, targetTokens);
      tally.markCut();
      return ok(taken);
    }
    before = pieces.length;
    left = whole.text;
  }
}

function cutTo(context: StepContext, answer: Inference, tokens: number): Inference {
  if (context.extractor.estimateTokens(answer.text) <= tokens) return answer;
  const text = context.extractor.split(answer.text, tokens)[0]?.text ?? '';
  const key = resultKey(`${answer.resultKey}/${context.task.id}/${String(tokens)}`);
  const finishReason = 'length';
  const row = { ...answer.row, key, output: text, finishReason, reusable: false } as const;
  return { ...answer, text, resultKey: key, finishReason, row };
}
