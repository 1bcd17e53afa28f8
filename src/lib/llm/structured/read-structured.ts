import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value';
import { readLiteral } from '../tools/literal';
import { checkValue } from './check-value';

export type StructuredRead =
  { readonly fits: true; readonly json: string } | { readonly fits: false; readonly why: string };

/** Of a text with more braces than these the rest is no answer. */
const MOST_STARTS = 32;
const FENCED = /```[\w-]*[ \t]*\n([\s\S]*?)```/g;
const NO_JSON = 'there is no JSON in the answer';

/**
 * The JSON that an answer gives: the whole text, what stands in a code fence, or the first value in its prose that fits.
 * JSON that is cut is none: nothing is closed that the model did not close.
 */
export function readStructured(text: string, schema: JsonObject): StructuredRead {
  let why = NO_JSON;
  for (const value of valuesIn(text)) {
    const checked = checkValue(value, schema, 'drop');
    if (checked.fits) return { fits: true, json: JSON.stringify(checked.value) };
    if (why === NO_JSON) why = checked.why;
  }
  return { fits: false, why };
}

function* valuesIn(text: string): Iterable<JsonValue> {
  const whole = valueOf(text);
  if (whole !== null) yield whole;
  for (const [, inner = ''] of text.matchAll(FENCED)) {
    const value = valueOf(inner);
    if (value !== null) yield value;
  }
  let at = 0;
  for (let starts = 0; starts < MOST_STARTS; starts += 1) {
    const start = text.slice(at).search(/[{[]/);
    if (start < 0) return;
    const read = readLiteral(text, at + start);
    if (read.read === 'whole') yield read.value;
    at = read.read === 'whole' ? read.end : at + start + 1;
  }
}

/** An object or a list, in JSON or as Python writes it; nothing else is an answer with fields. */
function valueOf(text: string): JsonValue | null {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed)) return null;
  const read = readLiteral(trimmed, 0);
  if (read.read !== 'whole' || trimmed.slice(read.end).trim() !== '') return null;
  return isJsonObject(read.value) || Array.isArray(read.value) ? read.value : null;
}
