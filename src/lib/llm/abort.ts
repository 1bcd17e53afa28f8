/** Whatever reason a signal was given, an abort is known by this name everywhere. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new DOMException('aborted by the caller', 'AbortError');
}
