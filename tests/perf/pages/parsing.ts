/** An answer of many tokens read by the app's own reader, beside the least that any client does with one. */
import { readAnswer } from '../../../src/lib/llm/answer-reader';
import { watchRequest } from '../../../src/lib/llm/clocks';
import { browserClock } from '../../../src/lib/platform/clock';
import { benchQuery, report } from './bench-run';

const { files: tokens } = benchQuery();
const TRIES = 9;
const PIECE_BYTES = 16 * 1024;
const LIMIT_MS = 60_000;

const body = bodyOf(tokens);
const expected = Array.from({ length: tokens }, (_, n) => `token${String(n)} `).join('');

function bodyOf(count: number): Uint8Array<ArrayBuffer> {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_764_000_000, model: 'bench' };
  const frame = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const frames = Array.from({ length: count }, (_, n) => frame({ content: `token${String(n)} ` }, null));
  return new TextEncoder().encode(`${frames.join('')}${frame({}, 'stop')}data: [DONE]\n\n`);
}

function answer(): Response {
  let from = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (from >= body.length) controller.close();
      else controller.enqueue(body.slice(from, (from += PIECE_BYTES)));
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

async function own(): Promise<string> {
  const limits = { connectMs: LIMIT_MS, firstTokenMs: LIMIT_MS, idleMs: LIMIT_MS, wholeMs: LIMIT_MS, wakeMs: LIMIT_MS };
  const clocks = { ...limits, graceMs: 100, readingMargin: 0, wakeReadingMs: 0 };
  const watch = watchRequest(browserClock(), clocks, new AbortController().signal);
  const read = await readAnswer(answer(), {
    watch,
    graceMs: clocks.graceMs,
    maxCharacters: Infinity,
    onToken: () => undefined,
    onPrefill: () => undefined,
    onText: () => undefined,
  });
  watch.stop();
  return read.text;
}

async function bare(): Promise<string> {
  const reader = answer().body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let rest = '';
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return text;
    const events = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const chunk = JSON.parse(event.slice('data: '.length)) as { choices: { delta: { content?: string } }[] };
      text += chunk.choices[0]?.delta.content ?? '';
    }
  }
}

async function timed(read: () => Promise<string>): Promise<number> {
  const began = performance.now();
  const text = await read();
  const tookMs = performance.now() - began;
  if (text.trim() !== expected.trim()) throw new Error('the text is not the one that was sent');
  return tookMs;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

report(async () => {
  const ownMs: number[] = [];
  const bareMs: number[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    bareMs.push(await timed(bare));
    ownMs.push(await timed(own));
  }
  return { ownMs: median(ownMs), bareMs: median(bareMs) };
});
