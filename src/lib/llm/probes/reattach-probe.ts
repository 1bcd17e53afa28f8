import type { ReattachWay } from '../../core/capabilities';
import { readText } from '../read-text';
import { withLimit } from '../time-limit';
import { probeBody } from './probe-body';
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
  const { baseUrl } = context.errors;
  const way = await lookUpWay(context, id, limitMs);
  if (way === null) return 'none';
  const place =
    way === 'query' ? `/stream?conv_id=${encodeURIComponent(id)}&from=0` : `/stream/${encodeURIComponent(id)}?from=0`;
  const body = { ...probeBody(context, [{ role: 'user', content: 'Say OK.' }], 2), stream: true };
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

/** How the server looks streams up, without any being made; null where it does not. */
export async function lookUpWay(
  { errors, ...context }: ProbeContext,
  id: string,
  limitMs: number,
): Promise<ReattachWay | null> {
  const read = (path: string, body: object | null) =>
    readJson({ errors, ...context }, `${errors.baseUrl}${path}`, body, limitMs);
  if (Array.isArray(await read('/streams/lookup', { conversation_ids: [id] }))) return 'query';
  return Array.isArray(await read('/streams', null)) ? 'path' : null;
}
