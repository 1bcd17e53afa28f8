/** Answers that an interruption did not cost: taken up at the server while it went on, or continued from what was kept. */
export interface Saved {
  readonly reattached: number;
  readonly continued: number;
  /** Tokens that were not generated again. */
  readonly tokens: number;
}

/** How one answer outlived an interruption. `tokens` were there when it was gone on with. */
export interface Continuation {
  readonly how: 'reattached' | 'continued';
  readonly tokens: number;
}

export const NOTHING_SAVED: Saved = { reattached: 0, continued: 0, tokens: 0 };

export function addSaved(a: Saved, b: Saved): Saved {
  return {
    reattached: a.reattached + b.reattached,
    continued: a.continued + b.continued,
    tokens: a.tokens + b.tokens,
  };
}

export function savedBy(continuation: Continuation | null): Saved {
  if (continuation === null) return NOTHING_SAVED;
  const { how, tokens } = continuation;
  return { ...NOTHING_SAVED, [how]: 1, tokens };
}

/** What of `a` is not in `b`, which is a part of it. */
export function lessSaved(a: Saved, b: Saved): Saved {
  return {
    reattached: a.reattached - b.reattached,
    continued: a.continued - b.continued,
    tokens: a.tokens - b.tokens,
  };
}

/** Null for none, so that a row that has nothing to tell has no field for it. */
export function orNothing(saved: Saved): Saved | null {
  return savedAnswers(saved) === 0 ? null : saved;
}

export function savedAnswers({ reattached, continued }: Saved): number {
  return reattached + continued;
}
