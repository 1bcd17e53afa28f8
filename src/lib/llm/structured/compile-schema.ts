import * as v from 'valibot';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value';

/** What becomes of fields that the schema does not name, where it allows no others. */
export type Extras = 'drop' | 'refuse';

const MAX_DEPTH = 32;
const PLAIN_TYPES: Readonly<Record<string, () => v.GenericSchema>> = {
  string: () => v.string(),
  number: () => v.pipe(v.number(), v.finite()),
  integer: () => v.pipe(v.number(), v.integer()),
  boolean: () => v.boolean(),
  null: () => v.null(),
};

/**
 * The part of JSON schema that fields and tools are described in, as a check of values: types and lists of types, `enum`,
 * `const`, `anyOf`, objects with `properties`, `required` and `additionalProperties: false`, arrays with `items`, bounds of
 * numbers, lengths, `pattern` and `format: date`. What it does not know it does not check.
 */
export function compileSchema(schema: JsonObject, extras: Extras, depth = 0): v.GenericSchema {
  if (depth > MAX_DEPTH) return v.any();
  if (Array.isArray(schema.enum)) return oneOf(schema.enum as readonly JsonValue[]);
  if (schema.const !== undefined) return oneOf([schema.const]);
  const choices: unknown = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const options = (choices as readonly JsonValue[]).filter(isJsonObject);
    return v.union(options.map((each) => compileSchema(each, extras, depth + 1)));
  }
  if (Array.isArray(schema.type)) {
    const types = (schema.type as readonly JsonValue[]).filter((each) => typeof each === 'string');
    return v.union(types.map((type) => compileSchema({ ...schema, type }, extras, depth + 1)));
  }
  if (schema.type === 'object' || (schema.type === undefined && isJsonObject(schema.properties))) {
    return objectOf(schema, extras, depth);
  }
  if (schema.type === 'array') return arrayOf(schema, extras, depth);
  const plain = typeof schema.type === 'string' ? PLAIN_TYPES[schema.type] : undefined;
  return plain ? bounded(plain(), schema) : v.any();
}

function oneOf(values: readonly JsonValue[]): v.GenericSchema {
  const plain = values.filter((each) => each === null || typeof each !== 'object');
  return v.custom(
    (value) => plain.some((each) => each === value),
    `must be one of ${plain.map((each) => JSON.stringify(each)).join(', ')}`,
  );
}

function objectOf(schema: JsonObject, extras: Extras, depth: number): v.GenericSchema {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? (schema.required as readonly JsonValue[]) : [];
  const entries = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const compiled = isJsonObject(field) ? compileSchema(field, extras, depth + 1) : v.any();
      return [name, required.includes(name) ? compiled : v.optional(compiled)];
    }),
  );
  const fields =
    schema.additionalProperties !== false
      ? v.looseObject(entries)
      : extras === 'drop'
        ? v.object(entries)
        : v.strictObject(entries);
  return v.pipe(
    v.custom<object>((value) => !Array.isArray(value), 'must be an object, not a list'),
    fields,
  );
}

function arrayOf(schema: JsonObject, extras: Extras, depth: number): v.GenericSchema {
  const items = isJsonObject(schema.items) ? compileSchema(schema.items, extras, depth + 1) : v.any();
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : Infinity;
  return v.pipe(
    v.array(items),
    v.check((list) => list.length >= least, `must have ${String(least)} or more`),
    v.check((list) => list.length <= most, `must have ${String(most)} at most`),
  );
}

function bounded(plain: v.GenericSchema, schema: JsonObject): v.GenericSchema {
  return v.pipe(
    plain,
    v.rawCheck(({ dataset, addIssue }) => {
      const broken = dataset.typed ? brokenBound(dataset.value, schema) : null;
      if (broken !== null) addIssue({ message: broken });
    }),
  );
}

function brokenBound(value: unknown, schema: JsonObject): string | null {
  const { minimum, maximum, minLength, maxLength, pattern, format } = schema;
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return `must be ${String(minimum)} or more`;
    if (typeof maximum === 'number' && value > maximum) return `must be ${String(maximum)} at most`;
  }
  if (typeof value !== 'string') return null;
  const { length } = [...value];
  if (typeof minLength === 'number' && length < minLength) return `must have ${String(minLength)} characters or more`;
  if (typeof maxLength === 'number' && length > maxLength) return `must have ${String(maxLength)} characters at most`;
  if (format === 'date' && !isDate(value)) return 'must be a date that there is, written YYYY-MM-DD';
  return typeof pattern === 'string' && !matches(pattern, value) ? `must match ${pattern}` : null;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** A pattern that is none checks nothing. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}
