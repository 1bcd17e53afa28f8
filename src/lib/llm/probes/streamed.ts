import type { ModelMessage } from '../../core/model';
import { isEventText } from '../sse';
import { probeBody } from './probe-body';
import type { ProbeContext } from './probe-context';
import { send } from './server-calls';

const MESSAGES: readonly ModelMessage[] = [
  { role: 'user', content: 'Please count from 1 to 50, with commas between the numbers.' },
];

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
  const body = { ...probeBody(context, MESSAGES, maxTokens), stream: true };
  const response = await send(context, `${context.errors.baseUrl}/chat/completions`, body, signal);
  if (!response.ok || !response.body) return 'refused';
  const isNamed = response.headers.get('content-type')?.includes('event-stream') === true;
  let form: 'stream' | 'whole' | null = isNamed ? 'stream' : null;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return form ?? 'whole';
      const text = rest + decoder.decode(value, { stream: true });
      form ??= formOf(text);
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      const holdsText = /"(content|reasoning|reasoning_content)":\s*"[^"]/.test(text.slice(0, end));
      if (holdsText && !onToken(context.clock.monotonicMs())) return form ?? 'whole';
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** By its beginning, whatever it is called; null while that is not there. */
function formOf(text: string): 'stream' | 'whole' | null {
  const start = text.trimStart();
  if (start.length < 'event:'.length) return null;
  return isEventText(start) ? 'stream' : 'whole';
}
