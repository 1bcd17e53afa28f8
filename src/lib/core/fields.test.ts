import { describe, expect, it } from 'vitest';
import {
  MAX_FIELDS,
  fieldLines,
  fieldProblem,
  fieldText,
  fieldsSchema,
  joinFields,
  readFields,
  type FieldSpec,
} from './fields';

const field = (name: string, type: FieldSpec['type'] = 'text', description = ''): FieldSpec => ({
  name,
  type,
  description,
});

describe('fields', () => {
  it.each<[string, readonly FieldSpec[], ReturnType<typeof fieldProblem>]>([
    ['one', [field('总额')], null],
    ['as many as there may be', Array.from({ length: MAX_FIELDS }, (_, n) => field(String(n))), null],
    ['none', [], 'none'],
    ['too many', Array.from({ length: MAX_FIELDS + 1 }, (_, n) => field(String(n))), 'too_many'],
    ['one without a name', [field('a'), field('  ')], 'name_missing'],
    ['a long name', [field('x'.repeat(65))], 'name_long'],
    ['one name twice', [field('Total'), field(' total ')], 'name_twice'],
    ['a name that objects have', [field('__proto__')], 'name_reserved'],
  ])('%s', (_, fields, problem) => {
    expect(fieldProblem(fields)).toBe(problem);
  });

  it('are a schema in which each may be null and none may be missing', () => {
    const fields = [
      field('a', 'text', 'what'),
      field('b', 'number'),
      field('c', 'yes_no'),
      field('d', 'date'),
      field('e', 'list'),
    ];
    expect(fieldsSchema(fields)).toEqual({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], description: 'what' },
        b: { type: ['number', 'null'] },
        c: { type: ['boolean', 'null'] },
        d: { type: ['string', 'null'], format: 'date' },
        e: { type: ['array', 'null'], items: { type: 'string' } },
      },
      required: ['a', 'b', 'c', 'd', 'e'],
      additionalProperties: false,
    });
  });

  it.each([
    [null, ''],
    [undefined, ''],
    ['two\nlines ', 'two lines'],
    [0, '0'],
    [true, 'yes'],
    [false, 'no'],
    [['a', 'b'], 'a; b'],
    [{ a: 1 }, '{"a":1}'],
  ])('%j is shown as %j', (value, text) => {
    expect(fieldText(value)).toBe(text);
  });

  it('are lines of what was found; a result without fields stays as it is', () => {
    expect(fieldLines([field('a'), field('b'), field('c')], '{"a":"x","b":null,"c":false}')).toBe('a: x\nc: no');
    expect(fieldLines([field('a')], 'no JSON')).toBe('no JSON');
    expect(['[1]', '"a"', '{"a":', ''].map(readFields)).toEqual([null, null, null, null]);
  });

  it('of parts are those that a part says first; lists are put together', () => {
    const parts = [
      { a: null, b: 1, c: ['x', 'y'], d: false, e: null },
      { a: 'one', b: 2, c: ['y', 'z'], d: true, e: null },
      { a: 'two', b: 3, c: null, d: null, e: ['q'] },
    ];
    expect(joinFields(parts)).toEqual({ a: 'one', b: 1, c: ['x', 'y', 'z'], d: false, e: ['q'] });
  });
});
