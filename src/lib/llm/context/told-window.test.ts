import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askWindow } from './ask-window';
import { NOTHING_TOLD, windowInLmStudio, windowInOllama, windowInProps } from './told-window';

const props = { default_generation_settings: { n_ctx: 1024, params: {} }, total_slots: 2, model_path: 'm.gguf' };
const running = { models: [{ name: 'hermes3:8b', model: 'hermes3:8b', context_length: 4096, size: 1 }] };
const shown = {
  parameters: 'stop                           "<|im_end|>"\nnum_ctx                        8192\ntemperature 0.7',
  model_info: { 'general.architecture': 'llama', 'llama.context_length': 131072 },
};
const studio = {
  data: [
    { id: 'hermes', state: 'loaded', max_context_length: 131072, loaded_context_length: 4096 },
    { id: 'other', state: 'not-loaded', max_context_length: 32768 },
  ],
};

describe('what a server tells of its window', () => {
  it('llama.cpp: of one slot', () => {
    expect(windowInProps(props)).toEqual({ contextTokens: 1024, mostTokens: null, slots: 2 });
    expect(windowInProps({ n_ctx: 512 })).toEqual({ contextTokens: 512, mostTokens: null, slots: null });
  });

  it.each([1, 511, 1e12, -4096, 4096.5])('nothing that could be one: %d', (told) => {
    const inStudio = { data: [{ id: 'm', state: 'loaded', loaded_context_length: told }] };
    const inOllama = { models: [{ name: 'm', context_length: told }] };
    expect(windowInProps({ default_generation_settings: { n_ctx: told } })).toEqual(NOTHING_TOLD);
    expect(windowInLmStudio(inStudio, 'm')).toEqual(NOTHING_TOLD);
    expect(windowInOllama(inOllama, { parameters: `num_ctx ${told}` }, 'm')).toEqual(NOTHING_TOLD);
  });

  it.each<[string, unknown, unknown, string, number | null, number | null]>([
    ['as loaded, whatever the Modelfile says', running, shown, 'hermes3:8b', 4096, 131072],
    ['in any case', running, null, 'Hermes3:8B', 4096, null],
    [
      'the latest, where there is no tag',
      { models: [{ name: 'qwen3:latest', context_length: 2048 }] },
      null,
      'qwen3',
      2048,
      null,
    ],
    [
      'a registry with a port is no tag',
      { models: [{ name: 'host:5000/q:latest', context_length: 2048 }] },
      null,
      'host:5000/q',
      2048,
      null,
    ],
    ['of the Modelfile, while another is loaded', running, shown, 'hermes3:70b', 8192, 131072],
    ['no more than the model was trained for', null, { ...shown, parameters: 'num_ctx 999999' }, 'm', 131072, 131072],
    ['not what it was trained for', { models: [] }, { model_info: shown.model_info }, 'm', null, 131072],
    ['older ones that tell no length', { models: [{ name: 'm:latest' }] }, {}, 'm', null, null],
  ])('Ollama: %s', (_, ps, show, model, contextTokens, mostTokens) => {
    expect(windowInOllama(ps, show, model)).toEqual({ contextTokens, mostTokens, slots: null });
  });

  it('LM Studio: as loaded; what is not loaded has none yet', () => {
    expect(windowInLmStudio(studio, 'hermes')).toEqual({ contextTokens: 4096, mostTokens: 131072, slots: null });
    expect(windowInLmStudio(studio, 'other')).toEqual({ contextTokens: null, mostTokens: 32768, slots: null });
    expect(windowInLmStudio(studio, 'third')).toEqual(NOTHING_TOLD);
    const unloaded = { data: [{ id: 'm', state: 'not-loaded', loaded_context_length: 4096 }] };
    expect(windowInLmStudio(unloaded, 'm').contextTokens).toBeNull();
  });

  it('is a whole number above nothing or null, whatever comes', () => {
    const size = fc.oneof(fc.anything(), fc.constantFrom(0, -1, 1.5, NaN, '4096', 1e400));
    fc.assert(
      fc.property(fc.anything(), size, (any, odd) => {
        const values = [
          any,
          { n_ctx: odd, total_slots: odd, default_generation_settings: any },
          { models: [any, { name: 'm:latest', context_length: odd }] },
          { data: [any, { id: 'm', loaded_context_length: odd, max_context_length: odd }] },
        ];
        for (const value of values) {
          for (const told of [windowInProps(value), windowInOllama(value, value, 'm'), windowInLmStudio(value, 'm')]) {
            for (const each of Object.values(told) as (number | null)[]) {
              expect(each === null || (Number.isInteger(each) && each > 0)).toBe(true);
            }
          }
        }
      }),
    );
  });
});

describe('askWindow', () => {
  async function ask(answers: Readonly<Record<string, unknown>>, baseUrl = 'http://127.0.0.1:8000/v1') {
    const asked: string[] = [];
    const told = await askWindow({
      baseUrl,
      model: 'hermes',
      readJson: (url, body) => {
        asked.push(`${url}${body === null ? '' : ` ${JSON.stringify(body)}`}`);
        return Promise.resolve(answers[new URL(url).pathname] ?? null);
      },
    });
    return { asked, told };
  }

  it('asks each kind of server its own way, below the origin of the base URL, until one tells', async () => {
    const { asked, told } = await ask({ '/api/v0/models': studio });
    expect(asked).toEqual([
      'http://127.0.0.1:8000/props',
      'http://127.0.0.1:8000/api/ps',
      'http://127.0.0.1:8000/api/v0/models',
    ]);
    expect(told.contextTokens).toBe(4096);
    expect((await ask({ '/props': props })).asked).toHaveLength(1);
  });

  it('asks Ollama for the model too, and gives what it could hold when nobody tells more', async () => {
    const { asked, told } = await ask({ '/api/ps': { models: [] }, '/api/show': { model_info: shown.model_info } });
    expect(asked[2]).toBe('http://127.0.0.1:8000/api/show {"model":"hermes"}');
    expect(told).toEqual({ contextTokens: null, mostTokens: 131072, slots: null });
  });

  it('keeps a path that is not the version', async () => {
    expect((await ask({}, 'https://example.com/llm/v1/')).asked[0]).toBe('https://example.com/llm/props');
    expect((await ask({}, 'http://127.0.0.1:8000')).told).toEqual(NOTHING_TOLD);
  });
});
