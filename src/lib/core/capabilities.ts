/** Programs that serve models, as far as their answers tell them apart. */
export type ServerKind =
  'vllm' | 'llama.cpp' | 'ollama' | 'lm-studio' | 'sglang' | 'tgi' | 'litellm' | 'openrouter' | 'openai' | 'unknown';

/** How an unfinished answer is gone on with: by two fields of the request, by its last message alone, or as bare text. */
export type ContinueWay = 'fields' | 'prefill' | 'completions';
/** How the stream of an answer that is still being made is found again: `/stream?conv_id=…` or `/stream/…`. */
export type ReattachWay = 'query' | 'path';
/** How an answer is held to a schema. `prompt` only asks for it. */
export type SchemaWay = 'json_schema' | 'json_object' | 'prompt';
/** How a model is given tools: in the server's own fields, or in Hermes' text. */
export type ToolWay = 'native' | 'hermes';

/**
 * What was found out about one server and its model, and is used until it is found out anew. Null: it cannot be had, or
 * could not be found out. It says nothing of another address or another model.
 */
export interface Capabilities {
  /** Wall clock. */
  readonly atMs: number;
  readonly server: ServerKind;
  /** As the server tells it, like `b11669`. */
  readonly version: string | null;
  /** Tokens that prompt and answer of one request may hold together. */
  readonly contextTokens: number | null;
  /** Requests that it works on at once. */
  readonly slots: number | null;
  /** `tokens` as they come; `buffered` all at the end; `whole` as one JSON answer. */
  readonly streaming: 'tokens' | 'buffered' | 'whole' | null;
  readonly continuing: ContinueWay | null;
  readonly reattaching: ReattachWay | null;
  readonly schema: SchemaWay | null;
  readonly tools: ToolWay | null;
  /** `input_tokens`: of a whole conversation; `tokenize`: of a text. */
  readonly counting: 'input_tokens' | 'tokenize' | null;
  /** What it counted of `COUNTED_SAMPLE`; absent or null where it counts nothing. */
  readonly sampleTokens?: number | null;
  /** Requests that the browser can have out there at once over one connection; null for six connections of one each. */
  readonly streamsPerConnection: number | null;
  /** Base URLs of other origins that were seen to be the same server. */
  readonly lanes: readonly string[];
}
