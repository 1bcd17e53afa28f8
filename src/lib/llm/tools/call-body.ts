import { isJsonObject, type JsonValue } from '../../core/json-value';
import type { CallDraft, RefusedDraft } from '../../core/tool';
import { draftOf } from './call-draft';
import { readLiteral } from './literal';

/**
 * The calls between two tags: one object, several one after the other, or a list of them, also inside a code fence. They
 * stand or fall together: what follows an object and is none may belong to it. `hasEnd` says that the closing tag was there;
 * only then may the last brace be missing.
 */
export function readCallBody(raw: string, hasEnd: boolean): readonly CallDraft[] {
  const body = withoutFence(raw.trim());
  const values: JsonValue[] = [];
  let at = 0;
  while (at < body.length) {
    const literal = readLiteral(body, at);
    if (literal.read === 'malformed') return [refused('unreadable', raw)];
    if (literal.read === 'cut') {
      const { closed } = literal;
      if (!hasEnd || values.length > 0 || !saysAll(closed)) return [refused('cut', raw)];
      return [draftOf(closed, raw)];
    }
    values.push(...(Array.isArray(literal.value) ? (literal.value as readonly JsonValue[]) : [literal.value]));
    at = literal.end + (/^[\s,;]*/.exec(body.slice(literal.end))?.[0].length ?? 0);
  }
  if (values.length === 0) return [refused(hasEnd ? 'unreadable' : 'cut', raw)];
  const drafts = values.map((value) => draftOf(value, values.length === 1 ? raw : JSON.stringify(value)));
  return drafts.some(({ read }) => read === 'unreadable') && drafts.length > 1 ? [refused('unreadable', raw)] : drafts;
}

export function refused(read: RefusedDraft['read'], raw: string): RefusedDraft {
  const name = /^\s*\{\s*["']name["']\s*:\s*(["'])([\w.-]{1,100})\1/.exec(raw)?.[2] ?? null;
  return { read, name, raw };
}

/** A call that may end here: with its arguments still to come it would run without them. */
function saysAll(value: JsonValue | null): value is JsonValue {
  return value !== null && isJsonObject(value) && value.name !== undefined && value.arguments !== undefined;
}

function withoutFence(body: string): string {
  const opening = /^```[a-z]*\s*/.exec(body);
  return opening === null ? body : body.slice(opening[0].length).replace(/\s*```$/, '');
}
