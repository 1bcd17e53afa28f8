import { expect, it } from 'vitest';
import { importId, resultKey } from '../core/ids';
import { sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { withKeysOfItsOwn } from './brought-results';

const HERE = resultKey('asked-here');
const BROUGHT = resultKey('imported/earlier/asked-here');

it.each([[[HERE, BROUGHT]], [[BROUGHT, HERE]]])('leaves two answers to one request two: %j', (keys) => {
  const steps = keys.map((key, n) => sampleStep(`${String(n)}.txt`, { status: 'done', resultKey: key }));
  const results = keys.map((key) => sampleResult(key, { output: `the answer under ${key}` }));
  const rows = { model: null, folder: null, activity: [], effects: [], checkpoints: [] };
  const own = withKeysOfItsOwn({ task: sampleTask(), steps, results, ...rows }, importId('now'));
  const outputs = new Map(own.results.map(({ key, output }) => [key, output]));
  expect(own.steps.map((step) => step.resultKey && outputs.get(step.resultKey))).toEqual(
    keys.map((key) => `the answer under ${key}`),
  );
});
