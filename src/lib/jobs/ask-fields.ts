import { failure } from '../core/failure';
import { fieldsSchema, joinFields, readFields } from '../core/fields';
import type { JsonObject } from '../core/json-value';
import type { ModelRequest } from '../core/model';
import { fail, type Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';
import { ask, freeTokens } from './ask';
import { inARow } from './in-a-row';
import { repairRequest } from './requests';
import type { Tally } from './tally';

/** Objects grow with the text more than notes do: one that was cut gets this much more room, once. */
const WIDER = 4;
/** Of an answer that does not fit so much is shown to the model again. */
const MAX_SHOWN = 4_000;

/**
 * Asks for an answer that fits the request's schema. One that was cut is asked for once more with more room, where
 * there is any, and is `output_truncated` then; one that does not fit is given back once with what is wrong, and is `schema_unmet` then. What
 * could not be used is kept with the step.
 */
export async function askFields(
  context: StepContext,
  answerTokens: number,
  tally: Tally,
  request: (maxTokens: number) => ModelRequest,
): Promise<Result<Inference>> {
  const first = await asked(context, answerTokens, tally, request);
  if (!first.ok || first.value.unmet === undefined) return first;
  tally.addUnused(first.value);
  const { text, unmet } = first.value;
  const repaired = await asked(context, answerTokens, tally, (maxTokens) =>
    repairRequest(context.task.options, request(maxTokens), text.slice(0, MAX_SHOWN), unmet),
  );
  if (!repaired.ok || repaired.value.unmet === undefined) return repaired;
  tally.addUnused(repaired.value);
  tally.keep(repaired.value);
  return fail(failure('schema_unmet', { message: repaired.value.unmet }));
}

async function asked(
  context: StepContext,
  answerTokens: number,
  tally: Tally,
  request: (maxTokens: number) => ModelRequest,
): Promise<Result<Inference>> {
  const given: number[] = [];
  const answer = await ask(noting(context, given), answerTokens, request);
  if (!answer.ok || answer.value.finishReason !== 'length') return answer;
  tally.addUnused(answer.value);
  const widerTokens = Math.min(answerTokens * WIDER, freeTokens(context, request(answerTokens)));
  const wider = isWider(widerTokens, given) ? await ask(context, answerTokens * WIDER, request) : null;
  if (wider && (!wider.ok || wider.value.finishReason !== 'length')) return wider;
  if (wider) tally.addUnused(wider.value);
  tally.keep((wider ?? answer).value);
  return fail(failure('output_truncated', { message: 'the fields were cut at the output limit' }));
}

/** Adds the room of each answer that is asked for to `given`. */
function noting(context: StepContext, given: number[]): StepContext {
  const infer = (request: ModelRequest) => {
    given.push(request.maxTokens);
    return context.infer(request);
  };
  return { ...context, infer };
}

/** The last was answered: one that had been given more than that before it was refused by the server. */
function isWider(tokens: number, given: readonly number[]): boolean {
  const last = given.at(-1) ?? 0;
  return tokens > last && Math.max(...given) === last;
}

/** The fields of a long file from those of its parts. */
export function fieldsInARow(context: StepContext, answers: readonly Inference[]): Promise<Inference> {
  return inARow(context, answers, (texts) => JSON.stringify(joinFields(objectsIn(texts))));
}

function objectsIn(texts: readonly string[]): readonly JsonObject[] {
  return texts.map(readFields).filter((fields) => fields !== null);
}

/** What the fields take of each prompt, in tokens: they stand in it, and their schema may. */
export function fieldsTokens({ task, extractor }: StepContext): number {
  const { fields } = task.options;
  if (fields === undefined) return 0;
  return (
    extractor.estimateTokens(JSON.stringify(fieldsSchema(fields))) + extractor.estimateTokens(JSON.stringify(fields))
  );
}
