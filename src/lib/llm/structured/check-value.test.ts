import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../core/json-value';
import { checkValue } from './check-value';

const fits = (value: JsonValue, schema: JsonObject) => checkValue(value, schema, 'refuse').fits;

describe('what of JSON schema is checked', () => {
  it.each<[string, JsonObject, readonly JsonValue[], readonly JsonValue[]]>([
    ['string', { type: 'string' }, ['', 'a'], [1, null, {}, []]],
    ['number', { type: 'number' }, [0, 1.5], ['1', null]],
    ['integer', { type: 'integer' }, [0, -3], [1.5, '1']],
    ['boolean', { type: 'boolean' }, [true], ['true', 0, null]],
    ['null', { type: 'null' }, [null], ['', 0]],
    ['a type or nothing', { type: ['integer', 'null'] }, [3, null], [3.5, '']],
    ['enum', { enum: ['a', 2, null] }, ['a', 2, null], ['b', '2']],
    ['const', { const: 'a' }, ['a'], ['b', null]],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1]],
    ['bounds', { type: 'number', minimum: 1, maximum: 3 }, [1, 2.5, 3], [0.9, 3.1]],
    ['lengths in characters', { type: 'string', minLength: 1, maxLength: 2 }, ['a', '👍👍'], ['', '中文字']],
    ['pattern', { type: 'string', pattern: '^[A-Z]+$' }, ['AB'], ['ab']],
    ['a pattern that is none', { type: 'string', pattern: '(' }, ['anything'], [1]],
    ['lists', { type: 'array', items: { type: 'integer' }, minItems: 1 }, [[1]], [[], ['a'], 1]],
    ['properties without a type', { properties: { a: { type: 'string' } }, required: ['a'] }, [{ a: '' }], [{}]],
    ['what it does not know', { not: { type: 'string' } }, ['a', 1, null], []],
  ])('%s', (_, schema, good, bad) => {
    for (const value of good) expect([value, fits(value, schema)]).toEqual([value, true]);
    for (const value of bad) expect([value, fits(value, schema)]).toEqual([value, false]);
  });

  it('refuses or drops what the schema does not name, as is asked, and leaves it where others are allowed', () => {
    const closed: JsonObject = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false };
    expect(checkValue({ a: 1, b: 2 }, closed, 'drop')).toEqual({ fits: true, value: { a: 1 } });
    expect(checkValue({ a: 1, b: 2 }, closed, 'refuse')).toMatchObject({
      fits: false,
      why: 'b: is not among the fields',
    });
    expect(checkValue({ a: 1, b: 2 }, { ...closed, additionalProperties: true }, 'refuse')).toMatchObject({
      fits: true,
      value: { a: 1, b: 2 },
    });
  });

  it('says five faults and counts the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((n) => [n, { type: 'null' }])),
      required: names,
    };
    const checked = checkValue({}, schema, 'refuse');
    expect(!checked.fits && checked.why).toBe(
      'a: is missing; b: is missing; c: is missing; d: is missing; e: is missing; and 2 more',
    );
  });
});
