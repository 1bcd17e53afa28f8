import * as v from 'valibot';

/** Reads a field leniently: another type than expected counts as absent. */
const lenient = <T extends v.GenericSchema>(schema: T) => v.fallback(v.nullish(schema), null);

const Usage = v.object({
  prompt_tokens: lenient(v.number()),
  completion_tokens: lenient(v.number()),
});

const Message = v.object({
  content: lenient(v.string()),
  reasoning_content: lenient(v.string()),
  reasoning: lenient(v.string()),
});

const Choice = v.object({
  delta: lenient(Message),
  message: lenient(Message),
  text: lenient(v.string()),
  finish_reason: lenient(v.string()),
});

/** A chunk of a stream, or a whole answer from a server that does not stream: every field may be missing or null. */
const ChatChunk = v.object({
  model: lenient(v.string()),
  choices: lenient(v.array(v.fallback(v.nullable(Choice), null))),
  usage: lenient(Usage),
  error: v.optional(v.unknown()),
});

export interface ChunkNews {
  readonly content: string;
  /** True when hidden reasoning moved on. */
  readonly reasoned: boolean;
  readonly finishReason: string | null;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
  readonly model: string | null;
  readonly isError: boolean;
}

/** What a chunk says, or null when it is not an object at all. */
export function readChunk(value: unknown): ChunkNews | null {
  const parsed = v.safeParse(ChatChunk, value);
  if (!parsed.success) return null;
  const { choices, usage, model, error } = parsed.output;
  const choice = choices?.find((each) => each !== null) ?? null;
  const message = choice?.delta ?? choice?.message ?? null;
  return {
    content: message?.content ?? choice?.text ?? '',
    reasoned: (message?.reasoning_content ?? message?.reasoning ?? '') !== '',
    finishReason: choice?.finish_reason || null,
    usage:
      typeof usage?.prompt_tokens === 'number' && typeof usage.completion_tokens === 'number'
        ? { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens }
        : null,
    model: model || null,
    isError: error !== undefined && error !== null && error !== false,
  };
}
