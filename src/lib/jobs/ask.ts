import { failure, type Failure } from '../core/failure';
import type { InputCut, ModelRequest } from '../core/model';
import type { Extractor } from '../core/ports';
import { requestTokens } from '../core/request-tokens';
import { fail, type Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';
import { askNarrower } from './ask-narrower';

/** A model that thinks aloud spends its room before it says anything: it gets this much more, once. */
const WIDER = 4;
/** What a server adds around the messages of a conversation. */
export const CHAT_TOKENS = 16;
/** An answer shorter than this is not worth asking for. */
const LEAST_ANSWER_TOKENS = 24;
const LESS = 0.75;

/**
 * Asks with room for `answerTokens`, or for what the prompt leaves of the context. When all of it was spent without a
 * visible word, asks once more with up to half of the context. Prompt and answer never exceed the context: a prompt
 * that leaves no room is not sent, `context_overflow`. An answer that a content filter ended is none: `content_refused`;
 * one to a prompt that the server cut is none while there is another try: `input_cut`.
 */
export async function ask(
  context: StepContext,
  answerTokens: number,
  request: (maxTokens: number) => ModelRequest,
): Promise<Result<Inference>> {
  const { contextTokens } = context;
  const free = freeTokens(context, request(answerTokens));
  const usedTokens = contextTokens - CHAT_TOKENS - free;
  if (free < Math.min(answerTokens, LEAST_ANSWER_TOKENS)) {
    const message = `the prompt alone has ${String(usedTokens)} tokens by estimate`;
    return fail(failure('context_overflow', { message, details: { usedTokens, limitTokens: contextTokens } }));
  }
  const narrow = Math.min(answerTokens, free);
  const room = { promptTokens: usedTokens + CHAT_TOKENS, answerTokens: narrow, leastTokens: LEAST_ANSWER_TOKENS };
  const asked = await askNarrower(context, room, request);
  const wider = Math.min(answerTokens * WIDER, Math.floor(contextTokens / 2), free);
  const ranOut = !asked.ok && asked.failure.code === 'output_truncated';
  const answer = ranOut && wider > narrow ? await context.infer(request(wider)) : asked;
  if (!answer.ok) return answer;
  const { finishReason, inputCut } = answer.value;
  if (finishReason === 'content_filter') return fail(failure('content_refused'));
  return inputCut && !context.isLastTry ? fail(readInPart(context, inputCut)) : answer;
}

/** The estimate was too low where even what was planned within the window was cut: the next try plans with less. */
function readInPart({ contextTokens, modelIdentity }: StepContext, { keptTokens, windowTokens }: InputCut): Failure {
  const limitTokens = Math.min(windowTokens, Math.floor(contextTokens * LESS));
  const message = `the server read ${String(keptTokens)} tokens of the prompt`;
  return failure('input_cut', { message, details: { keptTokens, limitTokens, model: modelIdentity } });
}

/** What the prompt of a request leaves of the context. */
export function freeTokens({ contextTokens, extractor }: StepContext, request: ModelRequest): number {
  return contextTokens - CHAT_TOKENS - promptTokens(extractor, request);
}

/** Tokens of everything in a request, estimated. */
export function promptTokens(extractor: Pick<Extractor, 'estimateTokens'>, request: ModelRequest): number {
  return requestTokens(request, (text) => extractor.estimateTokens(text));
}
