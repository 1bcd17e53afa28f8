export interface KindCount {
  /** File name extension without the dot; empty for none. */
  readonly kind: string;
  readonly count: number;
}

/** The kinds of file, most frequent first. */
export function kindsByNumber(kinds: Readonly<Record<string, number>>): readonly KindCount[] {
  return Object.entries(kinds)
    .map(([kind, count]) => ({ kind, count }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}
