import type { Capabilities } from '../../core/capabilities';
import type { Formats } from '../../i18n/format';
import type { doctor } from '../../i18n/en/doctor';

/** The server in words, like "llama.cpp b11669, 2 slots of 8,192 tokens". */
export function recognisedServer(
  { server, version, slots, contextTokens }: Pick<Capabilities, 'server' | 'version' | 'slots' | 'contextTokens'>,
  words: Pick<typeof doctor, 'recognised' | 'server'>,
  formats: Formats,
): string {
  const name = words.server([server, version].filter(Boolean).join(' '));
  return words.recognised(name, slots, contextTokens, formats.number(contextTokens ?? 0));
}
