import { expect, it } from 'vitest';
import { readChunk } from './chat-chunk';

it('takes no name of a model that is longer than a name: it is kept with each answer', () => {
  expect(readChunk({ model: 'm'.repeat(1_000_000) })?.model).toHaveLength(200);
  expect(readChunk({ model: '' })?.model).toBeNull();
});
