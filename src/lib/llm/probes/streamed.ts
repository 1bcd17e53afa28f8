import { send } from './server-calls';
import type { ProbeContext } from './probe-context';

export interface StreamWatch {
  /** Something of the answer came; `at` in ms of the monotonic clock. False ends the reading. */
  readonly onToken: (at: number) => boolean;
}

/** Reads a counted answer piece by piece. Resolves when it is over or was ended; rejects as `fetch` does. */
export async function watchStream(
  context: ProbeContext,
  maxTokens: number,
  signal: AbortSignal,
  { onToken }: StreamWatch,
): Promise<'stream' | 'whole' | 'refused'> {
  const { baseUrl, model } = context.errors;
  const messages = [{ role: 'user', content: 'Please count from 1 to 50, with commas between the numbers.' }];
  const body = { ...context.settings.body, model, messages, max_tokens: maxTokens, temperature: 0, stream: true };
  const response = await send(context, `${baseUrl}/chat/completions`, body, signal);
  if (!response.ok || !response.body) return 'refused';
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return isStream ? 'stream' : 'whole';
      const text = rest + decoder.decode(value, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      const holdsText = /"(content|reasoning|reasoning_content)":\s*"[^"]/.test(text.slice(0, end));
      if (holdsText && !onToken(context.clock.monotonicMs())) return isStream ? 'stream' : 'whole';
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
