import { expect, it } from 'vitest';
import { kindsByNumber } from './kinds';

it('puts the most frequent kind first and equal ones in the order of their names', () => {
  expect(kindsByNumber({ md: 2, txt: 9, csv: 2, '': 1 }).map(({ kind }) => kind)).toEqual(['txt', 'csv', 'md', '']);
});
