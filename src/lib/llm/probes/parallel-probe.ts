import { HTTP1_CONNECTIONS } from '../throughput/lane-candidates';
import { withLimit } from '../time-limit';
import type { ProbeContext } from './probe-context';
import { watchStream } from './streamed';

/** As many as a browser has connections to one host; one stays free for everybody else. */
const MOST = HTTP1_CONNECTIONS - 1;
/** With TLS they may all share one connection by HTTP/2, which shows when more are there at once than there are connections. */
const MOST_TLS = HTTP1_CONNECTIONS + 2;
const TOKENS = 48;
/** Answers that are over sooner may each have been over before the next was begun. */
const TELLING_MS = 150;

export interface ParallelSeen {
  /** Answers that were being written at once. */
  readonly count: number;
  /** All that were asked for, or that the browser let out: it may bear more. */
  readonly isAll: boolean;
  /** They share a connection: there are more of them than a browser opens to one host. */
  readonly isShared: boolean;
}

/** How many requests are worked on at once; null where the answers come too fast, or not at all, to tell. */
export async function probeParallel(
  context: ProbeContext,
  slots: number | null,
  limitMs: number,
): Promise<ParallelSeen | null> {
  const most = context.errors.baseUrl.startsWith('https:') ? MOST_TLS : MOST;
  const asked = Math.min(most, Math.max(2, slots === null ? most : slots));
  const enough = new AbortController();
  const startedMs = context.clock.monotonicMs();
  const begun = new Set<number>();
  try {
    const watched = await withLimit(context.clock, limitMs, context.signal, async (limited) => {
      const signal = AbortSignal.any([limited, enough.signal]);
      const one = async (index: number) => {
        await watchStream(context, TOKENS, signal, {
          onToken: () => {
            begun.add(index);
            return begun.size < asked;
          },
        }).catch(() => undefined);
        // The first one that is over gives its place to another: what begins from now on says nothing.
        enough.abort();
      };
      await Promise.all(Array.from({ length: asked }, (_, index) => one(index)));
      if (limited.aborted) throw new DOMException('out of time', 'AbortError');
    });
    const tookMs = context.clock.monotonicMs() - startedMs;
    const count = begun.size;
    const isAll = count === asked || count === HTTP1_CONNECTIONS;
    if (!isAll && (count === 0 || (watched.ok && tookMs < TELLING_MS))) return null;
    return { count, isAll, isShared: count > HTTP1_CONNECTIONS };
  } catch (error) {
    if (context.signal.aborted) throw error;
    return null;
  }
}
