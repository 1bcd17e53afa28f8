import { ok, fail, type Result } from '../../core/result';
import { probeList, type ListProbe } from './list-probe';
import type { ProbeContext } from './probe-context';

const LOOK_EVERY_MS = 1_000;
/** A person who watches has seen by then that it takes longer. */
const WAIT_LIMIT_MS = 3 * 60_000;

/**
 * Looks again until the model is loaded; resolves to what the server then says. Failures: `endpoint_loading` after three
 * minutes, and whatever makes the list unreadable meanwhile.
 */
export async function waitWhileLoading(
  context: ProbeContext,
  first: ListProbe,
  onWait: () => void,
): Promise<Result<ListProbe>> {
  const { clock, signal } = context;
  const startedMs = clock.monotonicMs();
  let listed = first;
  for (;;) {
    const { refusal } = listed;
    if (refusal?.code !== 'endpoint_loading') return ok(listed);
    if (clock.monotonicMs() - startedMs >= WAIT_LIMIT_MS) return fail(refusal);
    if (listed === first) onWait();
    await clock.sleep(LOOK_EVERY_MS, signal);
    const read = await probeList(context);
    if (!read.ok) return read;
    listed = read.value;
  }
}
