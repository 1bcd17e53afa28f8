import type { Capabilities, ServerKind } from '../../core/capabilities';
import type { Formats } from '../../i18n/format';
import type { doctor } from '../../i18n/en/doctor';

/** As their makers write them; the rest has words of its own in each language. */
const TITLES: Readonly<Record<ServerKind, string | null>> = {
  vllm: 'vLLM',
  'llama.cpp': 'llama.cpp',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  sglang: 'SGLang',
  tgi: 'TGI',
  litellm: 'LiteLLM',
  openrouter: 'OpenRouter',
  openai: 'OpenAI',
  unknown: null,
};

/** The server in words, like "llama.cpp b11669, 2 slots of 8,192 tokens". */
export function recognisedServer(
  { server, version, slots, contextTokens }: Pick<Capabilities, 'server' | 'version' | 'slots' | 'contextTokens'>,
  words: Pick<typeof doctor, 'recognised' | 'unknownServer'>,
  formats: Formats,
): string {
  const name = nameOf(server, version) ?? words.unknownServer;
  return words.recognised(name, slots, contextTokens, formats.number(contextTokens ?? 0));
}

function nameOf(server: ServerKind, version: string | null): string | null {
  const title = TITLES[server];
  return version === null || title === null ? title : `${title} ${version}`;
}
