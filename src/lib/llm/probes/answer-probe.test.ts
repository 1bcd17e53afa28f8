import { describe, expect, it } from 'vitest';
import { listingOf } from './answer-probe';

const OPENROUTER = 'https://openrouter.ai/api/v1';
const MODELS = ['nous/hermes', 'nous/hermes:free', 'nous/big', 'hermes3:latest'].map((id) => ({
  id,
  contextTokens: null,
}));

describe('a model in the list of an endpoint', () => {
  it.each<[string, string, string, string | undefined]>([
    ['by its name', 'http://127.0.0.1:11434/v1', 'nous/big', 'nous/big'],
    ['as the latest', 'http://127.0.0.1:11434/v1', 'hermes3', 'hermes3:latest'],
    ['not by another tag', 'http://127.0.0.1:11434/v1', 'nous/big:free', undefined],
    ['not where a name only looks like the host', 'https://openrouter.ai.example.com/v1', 'nous/big:nitro', undefined],
    ['with a way of serving it', OPENROUTER, 'nous/big:nitro', 'nous/big'],
    ['with another one', OPENROUTER, 'nous/big:floor', 'nous/big'],
    ['with the one that is listed', OPENROUTER, 'nous/hermes:free', 'nous/hermes:free'],
    ['with two of them', OPENROUTER, 'nous/hermes:free:online', 'nous/hermes:free'],
    ['not by the name of a maker', OPENROUTER, 'nous', undefined],
    ['not when the model itself is unknown', OPENROUTER, 'nous/none:online', undefined],
  ])('is found %s', (_, baseUrl, model, id) => {
    expect(listingOf(MODELS, { baseUrl, model })?.id).toBe(id);
  });
});
