/** What an aborted signal raises, whatever reason it was given. */
export function abortError(): DOMException {
  return new DOMException('stopped', 'AbortError');
}
