/** What a worker says last when it ends on purpose. */
const STOPPED = 'talaria/stopped';

interface StopNotice {
  readonly what: typeof STOPPED;
  readonly why: string;
}

/** Called in a worker: tells its host, and ends with what it is doing now. Whoever waits for anything waits for ever. */
export function stopWorker(why: string): void {
  const notice: StopNotice = { what: STOPPED, why };
  self.postMessage(notice);
  self.close();
}

/** Why the worker that said this ended on purpose; null for any other message. */
export function stopReason(message: unknown): string | null {
  if (typeof message !== 'object' || message === null) return null;
  const { what, why } = message as Partial<StopNotice>;
  return what === STOPPED && typeof why === 'string' ? why : null;
}
