import * as v from 'valibot';
import type { Capabilities } from '../../core/capabilities';
import { rootOf } from '../hosts';
import type { ProbeContext } from './probe-context';
import { readJson } from './server-calls';

const Counted = v.object({ input_tokens: v.number() });
const Tokens = v.object({ tokens: v.array(v.unknown()) });

/** Whether the server counts exactly what a request would hold, and of what. */
export async function probeCounting(context: ProbeContext, limitMs: number): Promise<Capabilities['counting']> {
  const { baseUrl, model } = context.errors;
  const messages = [{ role: 'user', content: 'Say OK.' }];
  const counted = await readJson(context, `${baseUrl}/chat/completions/input_tokens`, { model, messages }, limitMs);
  if (v.safeParse(Counted, counted).success) return 'input_tokens';
  const tokens = await readJson(context, `${rootOf(baseUrl)}/tokenize`, { content: 'Say OK.' }, limitMs);
  return v.safeParse(Tokens, tokens).success ? 'tokenize' : null;
}
