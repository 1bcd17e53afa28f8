import { setMaxListeners } from 'node:events';

/**
 * Node suspects a leak at eleven listeners of one signal. The signal of a run has more by design: up to three for each
 * step in hand, which engine/run-signal.test.ts holds it to, and 64 requests may be out with eight files ahead.
 */
setMaxListeners(3 * (64 + 8));
