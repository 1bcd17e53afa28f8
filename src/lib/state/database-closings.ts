const listeners = new Set<() => void>();

/** The browser closed the page's database, perhaps to delete it: what is shown may be there no more. */
export function tellClosed(): void {
  for (const listener of listeners) listener();
}

/** Returns the end of listening. */
export function onClosed(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
