import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Canonical } from './canonical';

const value = fc.jsonValue() as fc.Arbitrary<Canonical>;

function shuffled(input: Canonical): Canonical {
  if (input === null || typeof input !== 'object') return input;
  if (Array.isArray(input)) return input.map(shuffled);
  const entries: [string, Canonical | undefined][] = Object.entries(input).map(([key, field]) => [
    key,
    field === undefined ? undefined : shuffled(field),
  ]);
  return Object.fromEntries(entries.reverse());
}

describe('canonicalJson', () => {
  test('sorts keys at every level and leaves undefined out', () => {
    expect(canonicalJson({ b: [{ z: 1, a: null }], a: undefined, A: 'é' })).toBe('{"A":"é","b":[{"a":null,"z":1}]}');
  });

  test('seed defect 17: does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(value, (input) => {
        expect(canonicalJson(shuffled(input))).toBe(canonicalJson(input));
      }),
    );
  });

  test('loses nothing: it is JSON of an equal value', () => {
    fc.assert(
      fc.property(value, (input) => {
        expect(JSON.parse(canonicalJson(input))).toEqual(JSON.parse(JSON.stringify(input)));
      }),
    );
  });

  test('is different for different values', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const equal = canonicalJson(a) === canonicalJson(b);
        expect(equal).toBe(canonicalJson(JSON.parse(JSON.stringify(a)) as Canonical) === canonicalJson(b));
      }),
    );
    expect(canonicalJson(['1'])).not.toBe(canonicalJson([1]));
    expect(canonicalJson([[], []])).not.toBe(canonicalJson([[[]]]));
  });

  test.each([Number.NaN, Infinity, -Infinity])('refuses %s rather than calling it null', (number) => {
    expect(() => canonicalJson({ number })).toThrow(TypeError);
  });
});
