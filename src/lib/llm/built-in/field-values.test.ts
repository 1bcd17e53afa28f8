import { expect, it } from 'vitest';
import type { FieldSpec } from '../../core/fields';
import { fieldsSchema } from '../../core/fields';
import { readStructured } from '../structured/read-structured';
import { fieldValues } from './field-values';

const FIELDS: readonly FieldSpec[] = [
  { name: 'Number', type: 'text', description: '' },
  { name: 'Total', type: 'number', description: '' },
  { name: 'Paid', type: 'yes_no', description: '' },
  { name: 'Due', type: 'date', description: '' },
  { name: 'Items', type: 'list', description: '' },
];

it('finds what stands as a line of its own, and guesses nothing', () => {
  const text =
    '# Invoice\n\n**Number:** A-1\n- total: EUR 1,234.50\nPaid: no\n> Due: 2026-03-01 at noon\nItems: ink, paper; pens\nTotal: 7';
  const values = { Number: 'A-1', Total: 1234.5, Paid: false, Due: '2026-03-01', Items: ['ink', 'paper', 'pens'] };
  expect(JSON.parse(fieldValues(text, FIELDS))).toEqual(values);
  const none = { Number: null, Total: null, Paid: null, Due: null, Items: null };
  expect(JSON.parse(fieldValues('The total of invoice A-1 is 12.', FIELDS))).toEqual(none);
  expect(JSON.parse(fieldValues('Total: much\nPaid: maybe\nDue: soon', FIELDS))).toEqual(none);
});

it.each(['总额：1,200 元\n付款日：2026年3月5日', ''])('gives an answer that fits its schema: %j', (text) => {
  const fields: FieldSpec[] = [
    { name: '总额', type: 'number', description: '' },
    { name: '付款日', type: 'date', description: '' },
  ];
  expect(readStructured(fieldValues(text, fields), fieldsSchema(fields)).fits).toBe(true);
});
