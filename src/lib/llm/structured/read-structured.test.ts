import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json-value';
import { readStructured } from './read-structured';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    name: { type: ['string', 'null'] },
    total: { type: ['number', 'null'] },
    paid: { type: ['boolean', 'null'] },
    due: { type: ['string', 'null'], format: 'date' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
  required: ['name', 'total'],
  additionalProperties: false,
};
const JSON_TEXT = '{"name":"Ada","total":12.5}';
const fits = { fits: true, json: JSON_TEXT };

describe('an answer with a schema', () => {
  it.each([
    ['as it is', JSON_TEXT],
    ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in a fence among words', `Here you are:\n\n\`\`\`\n${JSON_TEXT}\n\`\`\`\nAnything else?`],
    ['in a sentence', `The fields are ${JSON_TEXT}, as asked.`],
    ['after braces that are no JSON', `Given {this} and [that], it is ${JSON_TEXT}.`],
    ['after JSON that does not fit', `An example is {"name": 3}. Yours: ${JSON_TEXT}`],
    ['as Python writes it', "{'name': 'Ada', 'total': 12.5}"],
    ['with a field too many', '{"name":"Ada","total":12.5,"mood":"good"}'],
    ['with its fields in another order', '{"total":12.5,"name":"Ada"}'],
    ['in a list of its own kind no', `[1] ${JSON_TEXT}`],
  ])('is read %s', (_, text) => {
    expect(readStructured(text, SCHEMA)).toEqual(fits);
  });

  it.each([
    ['no JSON', 'Ada owes 12.5.', /there is no JSON/],
    ['a blank', '', /there is no JSON/],
    ['JSON that is cut', '{"name":"Ada","total":12.5', /there is no JSON/],
    ['JSON that is cut in its fence', '```json\n{"name":"Ada","total":12', /there is no JSON/],
    ['a field missing', '{"name":"Ada"}', /^total: is missing$/],
    ['another type', '{"name":"Ada","total":"12.5"}', /^total: must be \(number \| null\), not "12.5"$/],
    ['two faults', '{"name":1,"total":"x"}', /^name: .*; total: /],
    ['a date that there is not', '{"name":null,"total":null,"due":"2026-02-30"}', /^due: must be a date/],
    ['a date written otherwise', '{"name":null,"total":null,"due":"30 June"}', /^due: must be a date/],
    ['a list too long', '{"name":null,"total":1,"tags":["a","b","c","d"]}', /^tags: must have 3 at most$/],
    ['a list of something else', '{"name":null,"total":1,"tags":["a",2]}', /^tags\.1: must be string, not 2$/],
    ['a list instead of the object', '[]', /^the whole: must be an object, not a list$/],
  ])('is not taken for one: %s', (_, text, why) => {
    const read = readStructured(text, SCHEMA);
    expect(read.fits).toBe(false);
    expect(!read.fits && read.why).toMatch(why);
  });

  it('gives up on a text of braces without trying them all', () => {
    expect(readStructured('{'.repeat(200_000), SCHEMA).fits).toBe(false);
    expect(readStructured('{"a":'.repeat(100_000), SCHEMA).fits).toBe(false);
  });
});
