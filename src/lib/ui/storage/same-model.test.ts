import { expect, it } from 'vitest';
import { BUILT_IN, endpointId } from '../../core/ids';
import { sampleEndpoint } from '../../testing/sample-rows';
import { endpointOfSameModel, isSameModel } from './same-model';

const [elsewhere, first, other, last] = ['elsewhere', 'first', 'other', 'last'].map(endpointId) as [
  ReturnType<typeof endpointId>,
  ReturnType<typeof endpointId>,
  ReturnType<typeof endpointId>,
  ReturnType<typeof endpointId>,
];
const HERE = [
  sampleEndpoint({ id: first, model: 'hermes' }),
  sampleEndpoint({ id: last, model: 'hermes' }),
  sampleEndpoint({ id: other, model: 'qwen' }),
];

it.each([
  ['the newest with the same model', { endpointId: elsewhere, model: 'hermes' }, last],
  ['its own, where that is known', { endpointId: first, model: 'hermes' }, first],
  ['none of another model', { endpointId: elsewhere, model: 'llama' }, null],
  ['not its own, where that has another model by now', { endpointId: other, model: 'hermes' }, last],
  ['none where nobody knows the model', { endpointId: elsewhere, model: null }, null],
  ['the built-in engine for a task of that', { endpointId: BUILT_IN, model: 'built-in/x' }, BUILT_IN],
  ['none for a model that is called as the built-in engine', { endpointId: elsewhere, model: BUILT_IN }, null],
])('what a task goes on with: %s', (_, asked, expected) => {
  expect(endpointOfSameModel(asked, HERE)).toBe(expected);
});

it('a task of the built-in engine goes on with another model wherever else it goes on', () => {
  expect(isSameModel({ endpointId: BUILT_IN, model: 'hermes' }, first, HERE)).toBe(false);
  expect(isSameModel({ endpointId: first, model: 'hermes' }, BUILT_IN, HERE)).toBe(false);
});
