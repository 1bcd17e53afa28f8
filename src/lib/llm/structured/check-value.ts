import * as v from 'valibot';
import type { JsonObject, JsonValue } from '../../core/json-value';
import { compileSchema, type Extras } from './compile-schema';

const MOST_ISSUES = 5;
const MAX_MESSAGE = 200;

export type Checked =
  { readonly fits: true; readonly value: JsonValue } | { readonly fits: false; readonly why: string };

/** Holds a value against a schema. What does not fit is said field by field, in words that a model can mend it by. */
export function checkValue(value: JsonValue, schema: JsonObject, extras: Extras): Checked {
  const parsed = v.safeParse(compileSchema(schema, extras), value);
  if (parsed.success) return { fits: true, value: parsed.output as JsonValue };
  const lines = parsed.issues.slice(0, MOST_ISSUES).map((issue) => {
    const path = v.getDotPath(issue);
    return `${path === null ? 'the whole' : path}: ${wordsOf(issue).slice(0, MAX_MESSAGE)}`;
  });
  const left = parsed.issues.length - lines.length;
  return { fits: false, why: [...lines, ...(left > 0 ? [`and ${String(left)} more`] : [])].join('; ') };
}

function wordsOf(issue: v.BaseIssue<unknown>): string {
  if (issue.expected === null || issue.kind === 'validation' || issue.type === 'custom') return issue.message;
  if (issue.received === 'undefined') return 'is missing';
  return issue.expected === 'never' ? 'is not among the fields' : `must be ${issue.expected}, not ${issue.received}`;
}
