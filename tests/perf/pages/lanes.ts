/** Many requests at once by the app's own model and line, beside the ways that a page has without them. */
import OpenAI from 'openai';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../../src/lib/core/endpoint-settings';
import { PromptCounts } from '../../../src/lib/llm/context/prompt-counts';
import { TokenRatio } from '../../../src/lib/llm/context/token-ratio';
import { OpenAiModel } from '../../../src/lib/llm/model-openai';
import { laneCandidates } from '../../../src/lib/llm/throughput/lane-candidates';
import { openEndpointLine } from '../../../src/lib/llm/throughput/endpoint-line';
import { browserClock } from '../../../src/lib/platform/clock';
import { benchQuery, report } from './bench-run';

const { endpoint, files: requests } = benchQuery();
const atOnce = Number(new URLSearchParams(location.search).get('atOnce'));
/** As many as the app lets out over one origin. */
const AT_AN_ORIGIN = 5;
const MESSAGES = [{ role: 'user' as const, content: 'What does it say?' }];

/** Time of all requests, each hand taking the next as soon as it is free. */
async function timed(ask: (hand: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const work = async (_: unknown, hand: number) => {
    while (next++ < requests) await ask(hand);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return performance.now() - began;
}

async function plain(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', stream: true, messages: MESSAGES }),
  });
  await response.text();
}

function ownModel(): OpenAiModel {
  const clock = browserClock();
  const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: atOnce };
  const profile = { baseUrl: endpoint, isSecret: false, settings, capabilities: null };
  return new OpenAiModel({
    baseUrl: endpoint,
    model: 'bench',
    key: null,
    contextTokens: null,
    clock,
    network: { online: true, onChange: () => () => undefined },
    estimateTokens: (text) => text.length,
    counts: new PromptCounts({ ratio: new TokenRatio(), windowTokens: null, onLearned: () => undefined }),
    line: openEndpointLine(profile, { clock, levels: null }).line,
  });
}

report(async () => {
  const lanes = [endpoint, ...laneCandidates(endpoint, Math.ceil(atOnce / AT_AN_ORIGIN) + 1)];
  const model = ownModel();
  const material = { what: 'file', text: '', language: 'en', ask: '' } as const;
  const ask = async () => {
    const request = { messages: MESSAGES, temperature: 0, maxTokens: 64, material };
    const answered = await model.complete(request, { signal: new AbortController().signal });
    if (!answered.ok) throw new Error(answered.failure.message);
  };
  // Once unmeasured: lanes are found, connections opened.
  await timed(ask);
  const ownMs = await timed(ask);
  const open = lanes.filter((url) => !url.includes('[::1]'));
  const rawMs = await timed((hand) => plain(open[Math.floor(hand / AT_AN_ORIGIN) % open.length] ?? endpoint));
  const client = new OpenAI({ baseURL: endpoint, apiKey: 'none', dangerouslyAllowBrowser: true, maxRetries: 0 });
  const clientMs = await timed(async () => {
    const stream = await client.chat.completions.create({ model: 'bench', stream: true, messages: MESSAGES });
    let chunks = 0;
    for await (const chunk of stream) chunks += chunk.choices.length;
    if (chunks === 0) throw new Error('no answer');
  });
  return { ownMs, rawMs, clientMs, oneHostMs: await timed(() => plain(endpoint)) };
});
