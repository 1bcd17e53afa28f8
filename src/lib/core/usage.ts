/** Tokens of one or many requests. `estimated` is true when any addend was counted by us and not by the server. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly estimated: boolean;
}

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, estimated: false };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    estimated: a.estimated || b.estimated,
  };
}
