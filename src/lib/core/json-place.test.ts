import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonErrorPlace } from './json-place';

it.each([
  ['', 1, 1, ''],
  ['{"a": 1,}', 1, 9, '}'],
  ['{"a": 1 "b": 2}', 1, 9, '"'],
  ["{'a': 1}", 1, 2, "'"],
  ['{\n  "a": 1,\n  “b”: 2\n}', 3, 3, '“'],
  ['{"名": 1，"b": 2}', 1, 8, '，'],
  ['{"😀": x}', 1, 7, 'x'],
  ['{"a": 01}', 1, 8, '1'],
  ['{"a": [1, 2}', 1, 12, '}'],
  ['{"a": 1', 1, 8, ''],
  ['{"a": 1} {', 1, 10, '{'],
  ['{"a": "unfinished}', 1, 7, '"'],
  ['{"a": undefined}', 1, 7, 'u'],
])('%j stops to be JSON in line %i at character %i', (text, line, column, found) => {
  expect(jsonErrorPlace(text)).toEqual({ line, column, found });
});

it('finds nothing wrong with any JSON', () => {
  fc.assert(fc.property(fc.json(), (text) => jsonErrorPlace(text) === null));
  expect(jsonErrorPlace('\n{ "a" : [ ] , "b" : { } , "c" : [ -0.5e+3 , "\\u00e9\\n\u007f" ] }\t')).toBeNull();
});

it('agrees with the browser on what is JSON, whatever is cut out of it or put into it', () => {
  const mangled = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', '\n', '\u0001', '1', '-', 'e'));
  fc.assert(
    fc.property(mangled, ([json, seed, sign]) => {
      const at = seed % (json.length + 1);
      const text = json.slice(0, at) + sign + json.slice(at + (sign === '' ? 1 : 0));
      return isJson(text) === (jsonErrorPlace(text) === null);
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
