import { isJsonObject, type JsonObject, type JsonValue } from './json-value';

export type FieldType = 'text' | 'number' | 'yes_no' | 'date' | 'list';
export const FIELD_TYPES: readonly FieldType[] = ['text', 'number', 'yes_no', 'date', 'list'];

/** One thing to find in each file. */
export interface FieldSpec {
  /** As the person calls it; the column of the table and the key of the object. */
  readonly name: string;
  readonly type: FieldType;
  /** What is meant by it, for the model; may be empty. */
  readonly description: string;
}

export const MAX_FIELDS = 40;
export const MAX_FIELD_NAME = 64;

/** Names that objects of the language have by themselves. */
const RESERVED: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export type FieldProblem = 'none' | 'too_many' | 'name_missing' | 'name_long' | 'name_twice' | 'name_reserved';

/** What keeps these fields from being asked for; null when nothing does. */
export function fieldProblem(fields: readonly FieldSpec[]): FieldProblem | null {
  const names = fields.map(({ name }) => name.trim());
  if (names.length === 0) return 'none';
  if (names.length > MAX_FIELDS) return 'too_many';
  if (names.includes('')) return 'name_missing';
  if (names.some((name) => [...name].length > MAX_FIELD_NAME)) return 'name_long';
  if (names.some((name) => RESERVED.includes(name))) return 'name_reserved';
  return new Set(names.map((name) => name.toLowerCase())).size < names.length ? 'name_twice' : null;
}

/** The JSON schema of an answer that has each field, null where the file says nothing of it. */
export function fieldsSchema(fields: readonly FieldSpec[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

function schemaOf({ type, description }: FieldSpec): JsonObject {
  const described: JsonObject = description === '' ? {} : { description };
  switch (type) {
    case 'text':
      return { type: ['string', 'null'], ...described };
    case 'number':
      return { type: ['number', 'null'], ...described };
    case 'yes_no':
      return { type: ['boolean', 'null'], ...described };
    case 'date':
      return { type: ['string', 'null'], format: 'date', ...described };
    case 'list':
      return { type: ['array', 'null'], items: { type: 'string' }, ...described };
  }
}

/** The fields of a stored result; null for a text that is no object, such as an answer that was cut. */
export function readFields(output: string): JsonObject | null {
  try {
    const value = JSON.parse(output) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A value as one line of text; empty for what the file does not say. */
export function fieldText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(fieldText).join('; ');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\s+/g, ' ').trim();
}

/** What was found, a line each; what was not is left out. A result that has no fields stays as it is. */
export function fieldLines(fields: readonly FieldSpec[], output: string): string {
  const values = readFields(output);
  if (values === null) return output;
  return fields
    .flatMap(({ name }) => {
      const text = fieldText(values[name]);
      return text === '' ? [] : [`${name}: ${text}`];
    })
    .join('\n');
}

/**
 * The fields of one text from those of its parts, in their order: the first part that says one is believed, lists are put
 * together without saying anything twice.
 */
export function joinFields(parts: readonly JsonObject[]): JsonObject {
  const joined: Record<string, JsonValue> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const before = joined[name];
      joined[name] =
        isList(before) && isList(value)
          ? [...new Set([...before, ...value])]
          : before === undefined
            ? value
            : (before ?? value);
    }
  }
  return joined;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
