import { canonicalJson } from '../core/canonical';
import { DEFAULT_ENDPOINT_SETTINGS, type AnswerShape } from '../core/endpoint-settings';

const { body, sampling } = DEFAULT_ENDPOINT_SETTINGS;
const NOTHING_SET = shapeOf({ body, sampling });

/**
 * The name under which answers are kept and found again: the model's, with whatever the person set that shapes answers.
 * It ends with the model's name, and is that of the model alone where nothing was set.
 */
export function modelIdentity(model: string, shape: AnswerShape): string {
  const set = shapeOf(shape);
  return set === NOTHING_SET ? `openai/${model}` : `openai${set}/${model}`;
}

function shapeOf({ body: fields, sampling: { temperature, topP, seed } }: AnswerShape): string {
  return canonicalJson({ body: fields, sampling: { temperature, topP, seed } });
}
