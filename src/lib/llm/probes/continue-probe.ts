import * as v from 'valibot';
import type { ContinueWay } from '../../core/capabilities';
import type { ModelMessage } from '../../core/model';
import { rootOf } from '../hosts';
import type { ProbeContext } from './probe-context';
import type { Recognised } from './recognise';
import { askSmall, readJson, type SmallAnswer } from './server-calls';

/**
 * An answer that was begun, and how it goes on. It begins as no model would: one that begins anew must not look like a
 * server that repeats what it goes on from.
 */
interface BegunCount {
  readonly question: string;
  readonly text: string;
  readonly goesOn: RegExp;
}

const NUMBERS: BegunCount = {
  question: 'Please count from 1 to 20, with commas between the numbers.',
  text: 'So: 1, 2, 3, 4,',
  goesOn: /^\s*5\b/,
};
/**
 * In the middle of a word: a server that ends the message and lets the model begin another gets "five" or "four" of it,
 * since models count on from what they see. Put behind one another the two would be no text.
 */
const LETTERS: BegunCount = {
  question: 'Please count from one to ten in words, with commas between them.',
  text: 'So: one, two, three, fo',
  goesOn: /^ur\b/,
};
/** vLLM knows the two fields from here on; an older one passes them over and begins the answer anew. */
const VLLM_CONTINUES = [0, 7] as const;

const FIELDS = { add_generation_prompt: false, continue_final_message: true };
const Rendered = v.object({ prompt: v.string() });
const Completed = v.object({ choices: v.tupleWithRest([v.object({ text: v.string() })], v.unknown()) });
/** Models of these families were taught with ChatML, which bare text can be written in. */
const CHATML = /hermes|qwen|chatml|dolphin|smollm/i;

/** How an unfinished answer is gone on with; `none` where it is always begun anew, null where it could not be told. */
export async function probeContinue(
  context: ProbeContext,
  known: Pick<Recognised, 'server' | 'version'>,
  limitMs: number,
): Promise<ContinueWay | 'none' | null> {
  if (known.server === 'llama.cpp') {
    const rendered = await renderedWay(context, limitMs);
    if (rendered !== null) return rendered;
  }
  // Where it is known what the fields do, only whether they still do is asked.
  const begun = known.server === 'llama.cpp' || assumedWay(known) !== null ? NUMBERS : LETTERS;
  const messages = messagesOf(begun);
  const ask = (more: object) => askSmall(context, { messages, maxTokens: 4, ...more }, limitMs);
  // Servers that do not know the fields pass them over, and what they then do is what they always do.
  const passesOver = known.server === 'ollama' || known.server === 'lm-studio';
  const ways = passesOver ? (['prefill'] as const) : (['fields', 'prefill'] as const);
  let isClear = true;
  for (const way of ways) {
    const answer = await ask(way === 'fields' ? FIELDS : {});
    if (isContinued(answer, begun)) return way;
    // Nothing but thinking came: the answer itself was not gone on with, nor begun anew.
    if (answer === null || (answer !== 'refused' && answer.text.trim() === '' && answer.isCut)) isClear = false;
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
    const body = { messages: messagesOf(NUMBERS), ...fields };
    const parsed = v.safeParse(Rendered, await readJson(context, url, body, limitMs));
    if (parsed.success && parsed.output.prompt.trimEnd().endsWith(NUMBERS.text)) return way;
  }
  return null;
}

/** Only what is sure is assumed: text that was begun anew must never be taken for the rest of an answer. */
export function assumedWay({ server, version }: Pick<Recognised, 'server' | 'version'>): ContinueWay | null {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  const [least, leastMinor] = VLLM_CONTINUES;
  return server === 'vllm' && (major > least || (major === least && minor >= leastMinor)) ? 'fields' : null;
}

/** Some repeat what they go on from. */
function isContinued(answer: SmallAnswer | 'refused' | null, { text, goesOn }: BegunCount): boolean {
  if (answer === null || answer === 'refused') return false;
  return goesOn.test(answer.text.startsWith(text) ? answer.text.slice(text.length) : answer.text);
}

function messagesOf({ question, text }: BegunCount): readonly ModelMessage[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: text },
  ];
}

async function completes(context: ProbeContext, limitMs: number): Promise<boolean> {
  const { baseUrl, model } = context.errors;
  const { question, text, goesOn } = NUMBERS;
  const prompt = `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n${text}`;
  const body = { model, prompt, max_tokens: 4, temperature: 0 };
  const parsed = v.safeParse(Completed, await readJson(context, `${baseUrl}/completions`, body, limitMs));
  return parsed.success && goesOn.test(parsed.output.choices[0].text);
}
