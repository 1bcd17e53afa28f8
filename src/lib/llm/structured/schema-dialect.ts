import type { SchemaWay } from '../../core/capabilities';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value';
import { ErrorAnswer } from '../answer-errors';
import { BAD_SCHEMA } from '../server-wordings';

/** Keywords that only narrow what fits, and that not every server can hold an answer to. We check them all the same. */
const NARROWING = ['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'];
const LOWER: Readonly<Record<SchemaWay, SchemaWay | null>> = {
  json_schema: 'json_object',
  json_object: 'prompt',
  prompt: null,
};
/** The server knows no such way at all, whatever the schema says. */
const IS_OF_THE_WAY = /response_?format/;
const REFUSING = new Set([400, 422, 500, 501]);

export type ResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: { readonly name: string; readonly strict: true; readonly schema: JsonObject };
    };

/**
 * How this server is asked for an answer that fits a schema: the best way that is known of it, and a lower one for each
 * refusal, for as long as the model is open.
 */
export class SchemaDialect {
  #way: SchemaWay;
  readonly #dropped = new Set<string>();

  /** Null: not found out, so that the best is tried. */
  constructor(found: SchemaWay | null) {
    this.#way = found ?? 'json_schema';
  }

  responseFormat(schema: JsonObject): ResponseFormat | null {
    switch (this.#way) {
      case 'json_schema':
        return {
          type: 'json_schema',
          json_schema: { name: 'answer', strict: true, schema: without(schema, this.#dropped) },
        };
      case 'json_object':
        return { type: 'json_object' };
      case 'prompt':
        return null;
    }
  }

  /** What the model is told where the server does not hold it to the schema. */
  words(schema: JsonObject): string | null {
    if (this.#way === 'json_schema') return null;
    return `Answer with one JSON object and nothing else: no code fence, no words around it. It must fit this JSON schema: ${JSON.stringify(schema)}`;
  }

  /** True when the refusal was about the schema, so that asking again in another way makes sense. */
  learn(refusal: unknown, schema: JsonObject): boolean {
    if (!(refusal instanceof ErrorAnswer) || !REFUSING.has(refusal.status)) return false;
    const words = refusal.bodyText.toLowerCase();
    if (!BAD_SCHEMA.test(words)) return false;
    if (this.#way === 'json_schema') {
      const there = keywordsOf(schema).filter((keyword) => !this.#dropped.has(keyword));
      const named = there.filter((keyword) => isNamed(words, keyword));
      const offending = named.length > 0 || IS_OF_THE_WAY.test(words) ? named : there;
      if (offending.length > 0) {
        for (const keyword of offending) this.#dropped.add(keyword);
        return true;
      }
    }
    const lower = LOWER[this.#way];
    if (lower === null) return false;
    this.#way = lower;
    return true;
  }
}

/** By itself: `format` is not named by `response_format`. */
function isNamed(words: string, keyword: string): boolean {
  return new RegExp(`(?<![a-z_])${keyword.toLowerCase()}(?![a-z_])`).test(words);
}

function keywordsOf(schema: JsonValue): readonly string[] {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).flatMap(keywordsOf);
  if (!isJsonObject(schema)) return [];
  const own = isProperties(schema) ? [] : NARROWING.filter((keyword) => schema[keyword] !== undefined);
  return [...own, ...Object.values(schema).flatMap(keywordsOf)];
}

/** The same schema without these keywords. A field that has the name of one stays. */
function without(schema: JsonObject, dropped: ReadonlySet<string>): JsonObject {
  const names = isProperties(schema);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
      if (!names && dropped.has(key) && !isJsonObject(value)) return [];
      if (isJsonObject(value)) return [[key, without(value, dropped)]];
      if (!Array.isArray(value)) return [[key, value]];
      const list = value as readonly JsonValue[];
      return [[key, list.map((each) => (isJsonObject(each) ? without(each, dropped) : each))]];
    }),
  );
}

/** An object whose keys are names of fields, since each holds a schema. */
function isProperties(schema: JsonObject): boolean {
  const values = Object.values(schema);
  return values.length > 0 && values.every((value) => isJsonObject(value));
}
