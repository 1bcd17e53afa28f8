import type { Capabilities } from '../../core/capabilities';
import { withLimit } from '../time-limit';
import type { ProbeContext } from './probe-context';
import { watchStream } from './streamed';

const TOKENS = 16;
/** Two arrivals further apart than that were not written at once. */
const APART_MS = 25;
/** An answer that took no longer than that beyond its first token says nothing: it may have been written so fast. */
const TELLING_MS = 250;

/** Whether tokens come as they are written. `firstTokenMs` is how long an answer of one token took. */
export async function probeBuffering(
  context: ProbeContext,
  firstTokenMs: number,
  limitMs: number,
): Promise<Capabilities['streaming']> {
  const startedMs = context.clock.monotonicMs();
  const seen = { firstMs: null as number | null, lastMs: null as number | null };
  const onToken = (atMs: number) => {
    seen.firstMs ??= atMs;
    seen.lastMs = atMs;
    return atMs - seen.firstMs < APART_MS;
  };
  try {
    const watched = await withLimit(context.clock, limitMs, context.signal, (limited) =>
      watchStream(context, TOKENS, limited, { onToken }),
    );
    if (watched.ok && watched.value === 'whole') return 'whole';
    if (watched.ok && watched.value === 'refused') return null;
    if (seen.firstMs === null || seen.lastMs === null) return null;
    if (seen.lastMs - seen.firstMs >= APART_MS) return 'tokens';
    return watched.ok && seen.firstMs - startedMs - firstTokenMs >= TELLING_MS ? 'buffered' : 'tokens';
  } catch (error) {
    if (context.signal.aborted) throw error;
    return null;
  }
}
