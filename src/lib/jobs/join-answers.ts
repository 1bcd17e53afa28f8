import { failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';
import { allAnswers } from './answers';
import { ask, CHAT_TOKENS, promptTokens } from './ask';
import { budgetFor, type Budget } from './budget';
import { condense } from './condense';
import { joinRequest } from './requests';
import type { Tally } from './tally';

/** The fence around an answer. */
const FRAME_TOKENS = 4;

/** The answers to the parts of one file as one answer, level by level, so that no request grows with the file. */
export async function joinAnswers(
  context: StepContext,
  answers: readonly Inference[],
  tally: Tally,
): Promise<Result<Inference>> {
  const { extractor } = context;
  const { options } = context.task;
  const budget = budgetFor(context.contextTokens, extractor.estimateTokens(options.instructions));
  const wordingTokens = promptTokens(extractor, joinRequest(options, ['', ''], 0));
  const freeTokens = context.contextTokens - CHAT_TOKENS - budget.answerTokens - wordingTokens;
  let saved = answers.length;
  const save = (answer: Inference) => context.savePart(saved++, answer);
  const joinGroup = async (group: readonly Inference[]): Promise<Result<Inference>> => {
    const [only] = group;
    if (group.length === 1 && only) return ok(only);
    const texts = await fittingTexts(context, group, { budget, freeTokens, tally, save });
    if (!texts.ok) return texts;
    const answer = await ask(context, budget.answerTokens, (maxTokens) => joinRequest(options, texts.value, maxTokens));
    if (answer.ok) tally.add(answer.value);
    return answer;
  };
  let level = answers;
  while (level.length > 1) {
    const groups = groupsOf(context, level, budget.matterTokens, freeTokens);
    const from = saved;
    saved += groups.length;
    const joined = groups.map(async (group, index) => {
      const answer = await joinGroup(group);
      // Each by itself: an answer keeps its permit until it is saved, and the others of the level may need one.
      if (answer.ok && groups.length > 1 && group.length > 1) context.savePart(from + index, answer.value);
      return answer;
    });
    const next = await allAnswers(context, joined);
    if (!next.ok) return next;
    level = next.value;
  }
  const [whole] = level;
  return whole ? ok(whole) : fail(failure('file_empty'));
}

interface Joining {
  readonly budget: Budget;
  /** What the texts may have beside the wording and a whole answer. */
  readonly freeTokens: number;
  readonly tally: Tally;
  readonly save: (answer: Inference) => void;
}

/** Two answers are joined even when they do not fit together: the long ones are condensed before. */
async function fittingTexts(
  context: StepContext,
  group: readonly Inference[],
  { budget, freeTokens, tally, save }: Joining,
): Promise<Result<readonly string[]>> {
  const lengths = group.map(({ text }) => context.extractor.estimateTokens(text));
  const texts: string[] = [];
  const framed = lengths.reduce((sum, each) => sum + each + FRAME_TOKENS, 0);
  if (framed <= freeTokens) return ok(group.map(({ text }) => text));
  const shareTokens = Math.floor(freeTokens / group.length) - FRAME_TOKENS;
  const targetTokens = Math.max(1, Math.min(Math.floor(budget.matterTokens / 2), shareTokens));
  for (const [index, { text }] of group.entries()) {
    if ((lengths[index] ?? 0) <= targetTokens) {
      texts.push(text);
      continue;
    }
    const shorter = await condense(context, text, { room: budget, targetTokens, tally, save });
    if (!shorter.ok) return shorter;
    texts.push(shorter.value.text);
  }
  return ok(texts);
}

/** Neighbours that fit one request together, always at least two: the level above is at most half as long. */
function groupsOf(
  context: StepContext,
  answers: readonly Inference[],
  matterTokens: number,
  freeTokens: number,
): readonly Inference[][] {
  const groups: Inference[][] = [];
  let tokens = 0;
  for (const answer of answers) {
    const length = context.extractor.estimateTokens(answer.text);
    const last = groups.at(-1);
    const sum = tokens + length;
    const isFull = sum > matterTokens || sum + FRAME_TOKENS * ((last?.length ?? 0) + 1) > freeTokens;
    if (!last || (last.length > 1 && isFull)) {
      groups.push([answer]);
      tokens = length;
    } else {
      last.push(answer);
      tokens = sum;
    }
  }
  return groups;
}
