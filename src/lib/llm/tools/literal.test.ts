import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/json-value';
import { readLiteral } from './literal';

function valueOf(text: string): unknown {
  const literal = readLiteral(text, 0);
  return literal.read === 'whole' ? literal.value : literal.read;
}

describe('readLiteral', () => {
  it.each<[string, string, unknown]>([
    ['JSON', '{"a": [1, -2.5e3, true, null, "x\\n\\u00e9\\ud83d\\ude00"]}', { a: [1, -2500, true, null, 'x\né😀'] }],
    ['a Python dict', `{'a': "it's", 'b': [True, False, None], 'c': {'d': 'say "x"'}}`, pythonDict()],
    ['escapes of Python', String.raw`'it\'s \x41 \U0001F600'`, "it's A 😀"],
    ['commas at the end', "{'a': [1, 2,], }", { a: [1, 2] }],
    ['raw line breaks and tabs', '"a\n\tb\r\n\u0001"', 'a\n\tb\r\n\u0001'],
    ['what is no escape', String.raw`"\d+\.txt"`, String.raw`\d+\.txt`],
    ['a key that names the prototype', '{"__proto__": {"x": 1}}', prototypeKey()],
    ['a key twice', '{"a": 1, "a": 2}', { a: 2 }],
    ['a set', "{'a', 'b'}", 'malformed'],
    ['an empty set', 'set()', 'malformed'],
    ['bytes', "{'a': b'x'}", 'malformed'],
    ['a prefixed text', "{'a': f'{x}'}", 'malformed'],
    ['a raw text', "{'a': r'x'}", 'malformed'],
    ['a tuple', "{'a': (1, 2)}", 'malformed'],
    ['joined texts', "{'a': 'b' 'c'}", 'malformed'],
    ['a text in three quotes', "{'a': '''b'''}", 'malformed'],
    ['a call', "{'a': __import__('os')}", 'malformed'],
    ['a sum', "{'a': 1 + 2}", 'malformed'],
    ['a number as a key', '{1: 2}', 'malformed'],
    ['numbers of Python alone', '{"a": 1_000}', 'malformed'],
    ['a number beyond all', '{"a": 1e999}', 'malformed'],
    ['no number', '{"a": NaN}', 'malformed'],
    ['a name of every object', '{"a": constructor}', 'malformed'],
    ['an octal escape', String.raw`'\012'`, 'malformed'],
    ['nested beyond all', '['.repeat(5000), 'malformed'],
    ['nothing', '', 'cut'],
    ['half a word', '{"a": Tru', 'cut'],
    ['half an escape', '"\\u12', 'cut'],
  ])('%s', (_, text, value) => expect(valueOf(text)).toEqual(value));

  it.each<[string, string, JsonValue | null]>([
    ['after an object', '{"a": {"b": 1}', { a: { b: 1 } }],
    ['after a text', '{"a": "b" ', { a: 'b' }],
    ['after a word', '{"a": null', { a: null }],
    ['not after a number, which may go on', '{"a": 12', null],
    ['not in a text', '{"a": "b', null],
    ['not after a comma', '{"a": "b",', null],
    ['not after a key', '{"a":', null],
    ['not at the first brace', '{', null],
    ['not with two braces missing', '{"a": {"b": "c"', null],
    ['not with a bracket missing', '{"a": ["c"', null],
  ])('closes what one brace is missing of: %s', (_, text, closed) =>
    expect(readLiteral(text, 0)).toEqual({ read: 'cut', closed }),
  );

  it('reads all that JSON can say, and none of it when it is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const json = JSON.stringify({ a: value });
        expect(readLiteral(json, 0)).toEqual({ read: 'whole', value: JSON.parse(json) as unknown, end: json.length });
        expect(readLiteral(json.slice(0, cut % json.length), 0).read).toBe('cut');
      }),
      { numRuns: 300 },
    );
  });

  it('reads what Python prints', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(valueOf(pythonRepr(plain))).toEqual(plain);
      }),
    );
  });
});

function prototypeKey() {
  return Object.fromEntries([['__proto__', { x: 1 }]]) as Record<string, unknown>;
}

function pythonDict() {
  return { a: "it's", b: [true, false, null], c: { d: 'say "x"' } };
}

function pythonRepr(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const inner = value.replace(/[\\'"\n\r\t]/g, (char) => (char === quote || char === '\\' ? `\\${char}` : char));
    return quote + inner + quote;
  }
  if (Array.isArray(value)) return `[${(value as JsonValue[]).map(pythonRepr).join(', ')}]`;
  const fields = Object.entries(value).map(([key, field]) => `${pythonRepr(key)}: ${pythonRepr(field)}`);
  return `{${fields.join(', ')}}`;
}
