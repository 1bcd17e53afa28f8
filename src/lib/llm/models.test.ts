import { describe, expect, it } from 'vitest';
import { readModels } from './models';

const read = async (body: unknown) =>
  (await readModels(new Response(typeof body === 'string' ? body : JSON.stringify(body)))).models;

describe('readModels', () => {
  it.each<[string, object, number | null]>([
    ['vLLM', { id: 'm', max_model_len: 8192 }, 8192],
    ['llama.cpp', { id: 'm', meta: { n_ctx: 1024, n_ctx_train: 8192 } }, 1024],
    ['OpenRouter', { id: 'm', context_length: 131072 }, 131072],
    ['Groq', { id: 'm', context_window: 32768 }, 32768],
    ['LM Studio', { id: 'm', max_context_length: 32768, loaded_context_length: 4096 }, 4096],
    ['Ollama', { id: 'm', object: 'model', owned_by: 'library' }, null],
    ['one that no text fits into', { id: 'm', max_model_len: 1, meta: { n_ctx: 16 } }, null],
    ['one that nothing could hold', { id: 'm', max_model_len: 1e12, context_length: 4096 }, 4096],
    ['nonsense', { id: 'm', max_model_len: 'much', context_length: -1, n_ctx: 0, meta: 'no' }, null],
  ])('%s', async (_, entry, contextTokens) => {
    expect(await read({ object: 'list', data: [entry] })).toEqual([{ id: 'm', contextTokens }]);
  });

  it('takes lists of other forms, and skips entries that are none', async () => {
    expect(await read([{ id: 'a' }])).toEqual([{ id: 'a', contextTokens: null }]);
    expect(await read({ models: [{ name: 'b' }, { model: 'c' }] })).toHaveLength(2);
    expect(await read({ data: [null, 'x', {}, { id: 7 }, { id: 'd' }] })).toEqual([{ id: 'd', contextTokens: null }]);
    expect(await read({ data: [] })).toEqual([]);
  });

  it('knows what is no list', async () => {
    for (const body of ['<html>', '', '"x"', { error: 'Unexpected endpoint' }, { data: 'x' }]) {
      expect(await read(body)).toBeNull();
    }
  });
});
