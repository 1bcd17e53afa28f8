import type { FinishReason } from '../../core/model';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value';
import type { CallDraft } from '../../core/tool';
import { readLiteral } from './literal';

type ArgumentsRead = { readonly read: 'whole'; readonly value: JsonObject } | { readonly read: 'cut' | 'unreadable' };

/** Arguments were seen to be encoded twice; more is no accident. */
const MAX_ENCODINGS = 2;
const UNREADABLE = { read: 'unreadable' } as const;

/** Whether the model itself ended its answer. */
export function isWholeAnswer(finish: FinishReason | null): boolean {
  return finish === 'stop' || finish === 'tool_calls';
}

/**
 * Arguments in the forms that servers and models give them: an object, JSON of it, JSON of that JSON; nothing at all is no
 * arguments. With `mayClose` a last brace may be missing, when it is all that is.
 */
export function readArguments(given: JsonValue | undefined, mayClose: boolean): ArgumentsRead {
  let value: JsonValue | undefined = given;
  for (let decoded = 0; typeof value === 'string'; decoded += 1) {
    if (value.trim() === '') return { read: 'whole', value: {} };
    if (decoded === MAX_ENCODINGS) return UNREADABLE;
    const literal = readLiteral(value, 0);
    if (literal.read === 'malformed') return UNREADABLE;
    if (literal.read === 'whole') {
      if (value.slice(literal.end).trim() !== '') return UNREADABLE;
      value = literal.value;
    } else {
      if (!mayClose || literal.closed === null) return { read: 'cut' };
      value = literal.closed;
    }
  }
  if (value === undefined || value === null) return { read: 'whole', value: {} };
  return isJsonObject(value) ? { read: 'whole', value } : UNREADABLE;
}

/** The call that a value states: `{name, arguments}`, bare or in the wrapper that requests carry it in. */
export function draftOf(value: JsonValue, raw: string): CallDraft {
  const stated = isJsonObject(value) ? unwrapped(value) : null;
  if (stated === null) return { read: 'unreadable', name: null, raw };
  const name = typeof stated.name === 'string' ? stated.name.trim() : '';
  if (name === '') return { read: 'nameless', name: null, raw };
  const given = readArguments(stated.arguments ?? stated.parameters, false);
  if (given.read !== 'whole') return { read: given.read, name, raw };
  return { read: 'whole', name, arguments: given.value, raw };
}

function unwrapped(value: JsonObject): JsonObject {
  if (value.name !== undefined) return value;
  const inner = value.function ?? value.tool_call;
  return isJsonObject(inner) ? unwrapped(inner) : value;
}
