import { expect, it } from 'vitest';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { modelIdentity } from './model-identity';

const { sampling } = DEFAULT_ENDPOINT_SETTINGS;

it('is the model’s name alone where nothing that shapes answers is set', () => {
  expect(modelIdentity('a/hermes', DEFAULT_ENDPOINT_SETTINGS)).toBe('openai/a/hermes');
});

it('tells answers of one model apart by what shapes them, in whatever order it was written', () => {
  const plain = { body: { top_k: 40, min_p: 0.1 }, sampling };
  const turned = { body: { min_p: 0.1, top_k: 40 }, sampling: { seed: null, topP: null, temperature: null } };
  expect(modelIdentity('hermes', plain)).toBe(modelIdentity('hermes', turned));
  const all = [
    modelIdentity('hermes', DEFAULT_ENDPOINT_SETTINGS),
    modelIdentity('hermes', plain),
    modelIdentity('hermes', { ...plain, body: { top_k: 41, min_p: 0.1 } }),
    modelIdentity('hermes', { body: {}, sampling: { ...sampling, temperature: 0 } }),
    modelIdentity('hermes', { body: {}, sampling: { ...sampling, seed: 0 } }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(all.every((each) => each.endsWith('/hermes'))).toBe(true);
});
