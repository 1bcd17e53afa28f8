import * as v from 'valibot';

/** Reads a field leniently: another type than expected counts as absent. */
const lenient = <T extends v.GenericSchema>(schema: T) => v.fallback(v.nullish(schema), null);

/** Beyond these no request ever counted; the sum of a task's requests stays a number that can be stored and shown. */
const MAX_TOKENS = 1_000_000_000;
const tokens = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_TOKENS));

const Usage = v.object({
  prompt_tokens: lenient(tokens),
  completion_tokens: lenient(tokens),
});

const Message = v.object({
  content: lenient(v.string()),
  reasoning_content: lenient(v.string()),
  reasoning: lenient(v.string()),
  refusal: lenient(v.string()),
  tool_calls: v.optional(v.unknown()),
});

const Choice = v.object({
  delta: lenient(Message),
  message: lenient(Message),
  text: lenient(v.string()),
  finish_reason: lenient(v.string()),
});

const duration = v.pipe(v.number(), v.minValue(0), v.finite());

/** While it reads the prompt, where that was asked for, llama.cpp tells how far it is; `cache` it still knew. */
const PromptProgress = v.object({ cache: lenient(tokens), processed: tokens, time_ms: duration });
/** At the end llama.cpp tells how long the reading took. */
const Timings = v.object({ prompt_n: tokens, prompt_ms: duration });

/** A chunk of a stream, or a whole answer from a server that does not stream: every field may be missing or null. */
const ChatChunk = v.object({
  object: lenient(v.string()),
  type: lenient(v.string()),
  model: lenient(v.string()),
  choices: lenient(v.array(v.fallback(v.nullable(Choice), null))),
  usage: lenient(Usage),
  prompt_progress: lenient(PromptProgress),
  timings: lenient(Timings),
  error: v.optional(v.unknown()),
});

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

/** What a chunk says, or null when it is not an object at all. */
export function readChunk(value: unknown): ChunkNews | null {
  const parsed = v.safeParse(ChatChunk, value);
  if (!parsed.success) return null;
  const { choices, usage, model, prompt_progress: progress, timings, object, type, error } = parsed.output;
  const choice = choices?.find((each) => each !== null) ?? null;
  const message = choice?.delta ?? choice?.message ?? null;
  return {
    content: message?.content ?? choice?.text ?? '',
    reasoning: message?.reasoning_content ?? message?.reasoning ?? '',
    refusal: message?.refusal ?? '',
    toolCalls: message?.tool_calls ?? null,
    finishReason: choice?.finish_reason || null,
    usage:
      typeof usage?.prompt_tokens === 'number' && typeof usage.completion_tokens === 'number'
        ? { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens }
        : null,
    model: model || null,
    prefill: progress
      ? { tokens: Math.max(0, progress.processed - (progress.cache ?? 0)), tookMs: progress.time_ms }
      : timings
        ? { tokens: timings.prompt_n, tookMs: timings.prompt_ms }
        : null,
    // Flat errors have no field for it.
    isError: (error !== undefined && error !== null && error !== false) || object === 'error' || type === 'error',
  };
}
