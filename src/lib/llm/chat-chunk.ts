/** Beyond these no request ever counted; the sum of a task's requests stays a number that can be stored and shown. */
const MAX_TOKENS = 1_000_000_000;

/** Of a model: it is kept with each result. */
const MAX_NAME = 200;

/** Prompt tokens that the server read, and the time it took; what it knew before is not among them. */
export interface PrefillSeen {
  readonly tokens: number;
  readonly tookMs: number;
}

export interface ChunkNews {
  readonly content: string;
  /** Reasoning in a field of its own: it is counted, and never text. */
  readonly reasoning: string;
  /** The model's words for why it does not answer. */
  readonly refusal: string;
  /** What came of calls, as it came; null for nothing. */
  readonly toolCalls: unknown;
  readonly finishReason: string | null;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
  readonly model: string | null;
  readonly prefill: PrefillSeen | null;
  readonly isError: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a chunk of a stream says, or a whole answer from a server that does not stream; null when it is not an object at
 * all. Every field may be missing, null or of another type, which counts as absent. Read by hand: it is done once a token.
 */
export function readChunk(value: unknown): ChunkNews | null {
  const chunk = fieldsOf(value);
  if (chunk === null) return null;
  const choice = firstOf(chunk.choices);
  const message = fieldsOf(choice?.delta) ?? fieldsOf(choice?.message);
  const { error } = chunk;
  return {
    content: textOf(message?.content) ?? textOf(choice?.text) ?? '',
    // Some send both names, one of them empty.
    reasoning: textOf(message?.reasoning_content) || (textOf(message?.reasoning) ?? ''),
    refusal: textOf(message?.refusal) ?? '',
    toolCalls: message?.tool_calls ?? null,
    finishReason: textOf(choice?.finish_reason) || null,
    usage: usageOf(fieldsOf(chunk.usage)),
    model: textOf(chunk.model)?.slice(0, MAX_NAME) || null,
    prefill: progressOf(fieldsOf(chunk.prompt_progress)) ?? timingsOf(fieldsOf(chunk.timings)),
    // Flat errors have no field for it.
    isError:
      (error !== undefined && error !== null && error !== false) || chunk.object === 'error' || chunk.type === 'error',
  };
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null ? (value as Fields) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function firstOf(choices: unknown): Fields | null {
  if (!Array.isArray(choices)) return null;
  for (const each of choices) {
    const choice = fieldsOf(each);
    if (choice !== null) return choice;
  }
  return null;
}

function tokensOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : null;
}

function durationOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function usageOf(usage: Fields | null): ChunkNews['usage'] {
  const promptTokens = tokensOf(usage?.prompt_tokens);
  const completionTokens = tokensOf(usage?.completion_tokens);
  return promptTokens === null || completionTokens === null ? null : { promptTokens, completionTokens };
}

/** While it reads the prompt, where that was asked for, llama.cpp tells how far it is; `cache` it still knew. */
function progressOf(progress: Fields | null): PrefillSeen | null {
  const processed = tokensOf(progress?.processed);
  const tookMs = durationOf(progress?.time_ms);
  if (processed === null || tookMs === null) return null;
  return { tokens: Math.max(0, processed - (tokensOf(progress?.cache) ?? 0)), tookMs };
}

/** At the end llama.cpp tells how long the reading took. */
function timingsOf(timings: Fields | null): PrefillSeen | null {
  const tokens = tokensOf(timings?.prompt_n);
  const tookMs = durationOf(timings?.prompt_ms);
  return tokens === null || tookMs === null ? null : { tokens, tookMs };
}
