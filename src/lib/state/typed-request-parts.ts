import { jsonErrorPlace, type TextPlace } from '../core/json-place';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value';
import { bodyFieldProblem, headerProblem, type BodyFieldProblem, type HeaderProblem } from '../core/reserved-request';

export interface HeadersProblem {
  readonly what: 'header';
  readonly line: number;
  readonly name: string;
  readonly why: HeaderProblem | 'no_colon' | 'twice';
}

export type BodyProblem =
  | ({ readonly what: 'json' } & TextPlace)
  | { readonly what: 'not_object' }
  | { readonly what: 'field'; readonly name: string; readonly why: BodyFieldProblem };

export function writeHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** One `Name: value` a line. The first problem is told; its line, and all others like it, are left out. */
export function readHeaders(typed: string) {
  const headers = new Map<string, [string, string]>();
  let problem: HeadersProblem | null = null;
  for (const [index, line] of typed.split(/\r?\n/).entries()) {
    const text = line.replace('：', ':').trim();
    if (text === '') continue;
    const colon = text.indexOf(':');
    const name = text.slice(0, colon === -1 ? undefined : colon).trim();
    const value = colon === -1 ? '' : text.slice(colon + 1).trim();
    const isTwice = headers.has(name.toLowerCase());
    const why = colon === -1 ? 'no_colon' : isTwice ? 'twice' : headerProblem(name, value);
    if (why === null) headers.set(name.toLowerCase(), [name, value]);
    else problem ??= { what: 'header', line: index + 1, name: why === 'no_colon' ? '' : name, why };
  }
  return { headers: Object.fromEntries(headers.values()), problem };
}

/** A JSON object, or nothing. The first problem is told; a field that may not be set is left out. */
export function readBodyFields(typed: string): { readonly fields: JsonObject; readonly problem: BodyProblem | null } {
  if (typed.trim() === '') return { fields: {}, problem: null };
  const place = jsonErrorPlace(typed);
  if (place !== null) return { fields: {}, problem: { what: 'json', ...place } };
  const read = JSON.parse(typed) as JsonValue;
  if (!isJsonObject(read)) return { fields: {}, problem: { what: 'not_object' } };
  const wrong = Object.entries(read).flatMap(([name, value]) => {
    const why = bodyFieldProblem(name, value);
    return why === null ? [] : [{ what: 'field' as const, name, why }];
  });
  const names = new Set(wrong.map(({ name }) => name));
  const fields = Object.fromEntries(Object.entries(read).filter(([name]) => !names.has(name)));
  return { fields, problem: wrong[0] ?? null };
}
