import type { ReattachWay } from '../../core/capabilities';
import { readText } from '../read-text';
import { withLimit } from '../time-limit';
import type { ProbeContext } from './probe-context';
import { readJson, send } from './server-calls';

/**
 * Whether a stream is found again after it was let go. Only servers that answer a look-up are sent the header for it:
 * others may refuse a page that sends a header they do not know.
 */
export async function probeReattach(
  context: ProbeContext,
  id: string,
  limitMs: number,
): Promise<ReattachWay | 'none' | null> {
  const { baseUrl, model } = context.errors;
  const looked = await readJson(context, `${baseUrl}/streams/lookup`, { conversation_ids: [id] }, limitMs);
  const isNew = Array.isArray(looked);
  if (!isNew && !Array.isArray(await readJson(context, `${baseUrl}/streams`, null, limitMs))) return 'none';
  const way: ReattachWay = isNew ? 'query' : 'path';
  const place = isNew ? `/stream?conv_id=${encodeURIComponent(id)}&from=0` : `/stream/${encodeURIComponent(id)}?from=0`;
  const body = {
    ...context.settings.body,
    model,
    messages: [{ role: 'user', content: 'Say OK.' }],
    max_tokens: 2,
    temperature: 0,
    stream: true,
  };
  try {
    const found = await withLimit(context.clock, limitMs, context.signal, async (limited) => {
      const asked = await send(context, `${baseUrl}/chat/completions`, body, limited, { 'x-conversation-id': id });
      const first = await readText(asked);
      const again = await readText(await send(context, `${baseUrl}${place}`, null, limited));
      return first.includes('data:') && again.includes('data:') ? way : ('none' as const);
    });
    return found.ok ? found.value : null;
  } catch (error) {
    if (context.signal.aborted) throw error;
    return null;
  }
}
