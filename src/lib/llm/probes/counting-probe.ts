import * as v from 'valibot';
import type { Capabilities } from '../../core/capabilities';
import { COUNTED_SAMPLE } from '../context/counted-sample';
import { rootOf } from '../hosts';
import type { ProbeContext } from './probe-context';
import { readJson } from './server-calls';

type Counting = Pick<Capabilities, 'counting' | 'sampleTokens'>;

const NOT_COUNTED: Counting = { counting: null, sampleTokens: null };

const size = v.pipe(v.number(), v.integer(), v.minValue(1));
const Counted = v.object({ input_tokens: size });
const Tokens = v.object({ tokens: v.pipe(v.array(v.unknown()), v.minLength(1)) });
const Count = v.object({ count: size });

/** Whether the server counts exactly what a request would hold, of what, and what it counted of the sample. */
export async function probeCounting(
  context: ProbeContext,
  server: Capabilities['server'],
  limitMs: number,
): Promise<Counting> {
  const { baseUrl, model } = context.errors;
  if (server !== 'llama.cpp' && server !== 'vllm') return NOT_COUNTED;
  const tokenize = `${rootOf(baseUrl)}/tokenize`;
  if (server === 'vllm') {
    const told = await readJson(context, tokenize, { model, prompt: COUNTED_SAMPLE }, limitMs);
    return v.is(Count, told) ? { counting: 'tokenize', sampleTokens: told.count } : NOT_COUNTED;
  }
  const messages = [{ role: 'user', content: COUNTED_SAMPLE }];
  const counted = await readJson(context, `${baseUrl}/chat/completions/input_tokens`, { model, messages }, limitMs);
  if (v.is(Counted, counted)) return { counting: 'input_tokens', sampleTokens: counted.input_tokens };
  const tokens = await readJson(context, tokenize, { content: COUNTED_SAMPLE }, limitMs);
  return v.is(Tokens, tokens) ? { counting: 'tokenize', sampleTokens: tokens.tokens.length } : NOT_COUNTED;
}
