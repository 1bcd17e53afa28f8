import * as v from 'valibot';
import type { ModelListing } from '../core/doctor';
import { toldTokens } from './context/told-tokens';
import { readText } from './read-text';

const Sizes = v.object({
  max_model_len: toldTokens,
  context_length: toldTokens,
  context_window: toldTokens,
  max_context_length: toldTokens,
  loaded_context_length: toldTokens,
  max_input_tokens: toldTokens,
  n_ctx: toldTokens,
});
const Model = v.object({
  ...Sizes.entries,
  id: v.fallback(v.nullish(v.string()), null),
  name: v.fallback(v.nullish(v.string()), null),
  model: v.fallback(v.nullish(v.string()), null),
  meta: v.fallback(v.nullish(Sizes), null),
});
const Entries = v.array(v.fallback(v.nullable(Model), null));
const List = v.union([Entries, v.object({ data: Entries }), v.object({ models: Entries })]);

const MAX_LIST_BYTES = 8 * 1024 * 1024;

export interface ModelsRead {
  /** Null when the answer is no list of models. */
  readonly models: readonly ModelListing[] | null;
  readonly bodyText: string;
}

/** Reads a `/models` answer, whichever of its forms it has. */
export async function readModels(response: Response): Promise<ModelsRead> {
  const bodyText = await readText(response, MAX_LIST_BYTES);
  return { models: modelsIn(bodyText), bodyText };
}

function modelsIn(bodyText: string): readonly ModelListing[] | null {
  let value: unknown;
  try {
    value = JSON.parse(bodyText);
  } catch {
    return null;
  }
  const parsed = v.safeParse(List, value);
  if (!parsed.success) return null;
  const list = parsed.output;
  const entries = Array.isArray(list) ? list : 'data' in list ? list.data : list.models;
  return entries.flatMap((entry) => {
    const id = entry?.id || entry?.name || entry?.model;
    return entry && id ? [{ id, contextTokens: contextOf(entry) }] : [];
  });
}

/** What a request may hold now comes before what the model was trained for. */
function contextOf(entry: v.InferOutput<typeof Model>): number | null {
  const { meta } = entry;
  const candidates = [
    entry.loaded_context_length,
    entry.max_model_len,
    meta?.n_ctx,
    entry.n_ctx,
    entry.context_length,
    entry.context_window,
    entry.max_context_length,
    meta?.context_length,
    meta?.max_model_len,
    entry.max_input_tokens,
  ];
  return candidates.find((each) => each != null) ?? null;
}
