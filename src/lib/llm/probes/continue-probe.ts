import * as v from 'valibot';
import type { ContinueWay } from '../../core/capabilities';
import { rootOf } from '../hosts';
import type { ProbeContext } from './probe-context';
import type { Recognised } from './recognise';
import { askSmall, readJson, type SmallAnswer } from './server-calls';

const BEGUN = '1, 2, 3, 4,';
const QUESTION = 'Please count from 1 to 20, with commas between the numbers.';
const MESSAGES = [
  { role: 'user', content: QUESTION },
  { role: 'assistant', content: BEGUN },
];
const FIELDS = { add_generation_prompt: false, continue_final_message: true };
const Rendered = v.object({ prompt: v.string() });
const Completed = v.object({ choices: v.tupleWithRest([v.object({ text: v.string() })], v.unknown()) });
/** Models of these families were taught with ChatML, which bare text can be written in. */
const CHATML = /hermes|qwen|chatml|dolphin|smollm/i;

/** How an unfinished answer is gone on with; `none` where it is always begun anew, null where it could not be told. */
export async function probeContinue(
  context: ProbeContext,
  known: Pick<Recognised, 'server'>,
  limitMs: number,
): Promise<ContinueWay | 'none' | null> {
  if (known.server === 'llama.cpp') {
    const rendered = await renderedWay(context, limitMs);
    if (rendered !== null) return rendered;
  }
  const ask = (more: object) => askSmall(context, { messages: MESSAGES, max_tokens: 4, ...more }, limitMs);
  // Servers that do not know the fields pass them over, and what they then do is what they always do.
  const passesOver = known.server === 'ollama' || known.server === 'lm-studio';
  const ways = passesOver ? (['prefill'] as const) : (['fields', 'prefill'] as const);
  let isClear = true;
  for (const way of ways) {
    const answer = await ask(way === 'fields' ? FIELDS : {});
    if (isContinued(answer)) return way;
    if (answer === null) isClear = false;
    if (answer !== 'refused') break;
  }
  if (!isClear) return null;
  return CHATML.test(context.errors.model) && (await completes(context, limitMs)) ? 'completions' : 'none';
}

/** What the model would be given, as llama.cpp renders it: exact, and no model is asked. */
export async function renderedWay(context: ProbeContext, limitMs: number): Promise<ContinueWay | null> {
  const url = `${rootOf(context.errors.baseUrl)}/apply-template`;
  for (const [way, fields] of [
    ['fields', FIELDS],
    ['prefill', {}],
  ] as const) {
    const parsed = v.safeParse(Rendered, await readJson(context, url, { messages: MESSAGES, ...fields }, limitMs));
    if (parsed.success && parsed.output.prompt.trimEnd().endsWith(BEGUN)) return way;
  }
  return null;
}

/** Some repeat what they go on from. */
function isContinued(answer: SmallAnswer | 'refused' | null): boolean {
  if (answer === null || answer === 'refused') return false;
  const fresh = answer.text.startsWith(BEGUN) ? answer.text.slice(BEGUN.length) : answer.text;
  return /^\s*5\b/.test(fresh);
}

async function completes(context: ProbeContext, limitMs: number): Promise<boolean> {
  const { baseUrl, model } = context.errors;
  const prompt = `<|im_start|>user\n${QUESTION}<|im_end|>\n<|im_start|>assistant\n${BEGUN}`;
  const body = { model, prompt, max_tokens: 4, temperature: 0 };
  const parsed = v.safeParse(Completed, await readJson(context, `${baseUrl}/completions`, body, limitMs));
  return parsed.success && /^\s*5\b/.test(parsed.output.choices[0].text);
}
