import { expect, it } from 'vitest';
import { bullets } from './note';

it('lists what stood in a list without a list within the list', () => {
  expect(bullets(['- date: 2026-03-21; table: sewing', '* - wanted', '-5 degrees at night', 'a - b'])).toBe(
    '- date: 2026-03-21; table: sewing\n- wanted\n- -5 degrees at night\n- a - b',
  );
});
