import { vi } from 'vitest';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../src/lib/core/endpoint-settings';
import type { ModelRequest, RequestClocks } from '../../src/lib/core/model';
import type { CompleteOptions, Network } from '../../src/lib/core/ports';
import { PromptCounts } from '../../src/lib/llm/context/prompt-counts';
import { TokenRatio } from '../../src/lib/llm/context/token-ratio';
import { OpenAiModel, type OpenAiModelOptions } from '../../src/lib/llm/model-openai';
import { openEndpointLine } from '../../src/lib/llm/throughput/endpoint-line';
import type { SendLine } from '../../src/lib/llm/throughput/send-line';
import { browserClock } from '../../src/lib/platform/clock';
import type { ModelServer } from './model-server-types';

export const realClock = browserClock();

export const networkThat = (online: boolean): Network => ({ online, onChange: () => () => undefined });

/** Limits that a busy machine keeps; only the grace after a finish reason is waited for in full. */
export const QUICK: RequestClocks = {
  connectMs: 30_000,
  firstTokenMs: 30_000,
  readingMargin: 0,
  idleMs: 30_000,
  wholeMs: 60_000,
  graceMs: 150,
  wakeMs: 30_000,
};

export function requestFor(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: 'system', content: 'Answer briefly.' },
      { role: 'user', content },
    ],
    temperature: 0,
    maxTokens: 200,
    material: { what: 'file', text: content, language: 'en', ask: '' },
    ...more,
  };
}

export function modelAt(server: Pick<ModelServer, 'url'>, more: Partial<OpenAiModelOptions> = {}): OpenAiModel {
  return new OpenAiModel({
    baseUrl: server.url,
    model: 'hermes-test',
    key: null,
    contextTokens: null,
    clock: realClock,
    network: networkThat(true),
    estimateTokens: (text) => text.length,
    counts: new PromptCounts({ ratio: new TokenRatio(), windowTokens: null, onLearned: () => undefined }),
    line: lineTo(more.baseUrl ?? server.url),
    ...more,
  });
}

/** A line as a profile without settings has one. */
export function lineTo(baseUrl: string): SendLine {
  const profile = { baseUrl, isSecret: false, settings: DEFAULT_ENDPOINT_SETTINGS, capabilities: null };
  return openEndpointLine(profile, { clock: realClock, levels: null }).line;
}

/** Asks once with short limits, and collects what was shown. */
export async function askOnce(
  model: OpenAiModel,
  content: string,
  options: Pick<Partial<CompleteOptions>, 'signal' | 'earlier'> & { clocks?: Partial<RequestClocks> } = {},
) {
  const onText = vi.fn<(text: string) => void>();
  const result = await model.complete(requestFor(content), {
    signal: options.signal ?? new AbortController().signal,
    clocks: { ...QUICK, ...options.clocks },
    ...(options.earlier ? { earlier: options.earlier } : {}),
    onText,
  });
  return { result, shown: onText.mock.calls.map(([text]) => text) };
}
