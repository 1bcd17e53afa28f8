import { DEFAULT_BASE_URL, DEFAULT_MODEL } from './endpoint';

export type PresetName = 'vllm' | 'llama.cpp' | 'ollama' | 'lm-studio' | 'openrouter';

/** Where a server of this kind is usually found, and how it names the model. */
export interface EndpointPreset {
  readonly name: PresetName;
  readonly title: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly needsKey: boolean;
}

export const ENDPOINT_PRESETS: readonly EndpointPreset[] = [
  { name: 'vllm', title: 'vLLM', baseUrl: DEFAULT_BASE_URL, model: DEFAULT_MODEL, needsKey: false },
  {
    name: 'llama.cpp',
    title: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    model: 'Hermes-3-Llama-3.1-8B',
    needsKey: false,
  },
  { name: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'hermes3', needsKey: false },
  {
    name: 'lm-studio',
    title: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    model: 'hermes-3-llama-3.1-8b',
    needsKey: false,
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    model: 'nousresearch/hermes-3-llama-3.1-405b',
    needsKey: true,
  },
];
