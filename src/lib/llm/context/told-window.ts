import * as v from 'valibot';
import { toldTokens } from './told-tokens';

/** What a server tells of its window in answers of its own. Null where it does not. */
export interface ToldWindow {
  /** Tokens that a request may hold now. */
  readonly contextTokens: number | null;
  /** Tokens that the model could hold, were it loaded so: no request may rely on it. */
  readonly mostTokens: number | null;
  /** Requests served at once. */
  readonly slots: number | null;
}

export const NOTHING_TOLD: ToldWindow = { contextTokens: null, mostTokens: null, slots: null };

const size = v.fallback(v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))), null);
const name = v.fallback(v.nullish(v.string()), null);
const listOf = <T extends v.GenericSchema>(entry: T) => v.fallback(v.array(v.fallback(v.nullable(entry), null)), []);

const Props = v.object({
  default_generation_settings: v.fallback(v.nullish(v.object({ n_ctx: toldTokens })), null),
  n_ctx: toldTokens,
  total_slots: size,
});
const Running = v.object({ models: listOf(v.object({ name, model: name, context_length: toldTokens })) });
const Shown = v.object({
  parameters: v.fallback(v.nullish(v.string()), null),
  model_info: v.fallback(v.nullish(v.record(v.string(), v.unknown())), null),
});
const Loaded = v.object({
  data: listOf(v.object({ id: name, state: name, loaded_context_length: toldTokens, max_context_length: toldTokens })),
});

/** llama.cpp's `/props`: what one slot holds, and how many there are. */
export function windowInProps(value: unknown): ToldWindow {
  const props = read(Props, value);
  return {
    contextTokens: props?.default_generation_settings?.n_ctx ?? props?.n_ctx ?? null,
    mostTokens: null,
    slots: props?.total_slots ?? null,
  };
}

/**
 * Ollama's `/api/ps` and `/api/show`: the window of the model that is loaded, else the `num_ctx` that it will be loaded
 * with. What the model was trained for is neither.
 */
export function windowInOllama(running: unknown, shown: unknown, model: string): ToldWindow {
  const loaded = read(Running, running)?.models.find((each) =>
    [each?.name, each?.model].some((own) => isSame(own, model)),
  );
  const show = read(Shown, shown);
  const mostTokens = trainedFor(show?.model_info ?? {});
  const chosen = /(?:^|\n)\s*num_ctx\s+(\d{1,9})\s*(?:\n|$)/.exec(show?.parameters ?? '')?.[1];
  const asked = v.parse(toldTokens, Number(chosen)) ?? null;
  const willHold = asked === null ? null : Math.min(asked, mostTokens ?? Infinity);
  return { contextTokens: loaded?.context_length ?? willHold, mostTokens, slots: null };
}

/** LM Studio's `/api/v0/models`. */
export function windowInLmStudio(value: unknown, model: string): ToldWindow {
  const entry = read(Loaded, value)?.data.find((each) => each?.id === model);
  const isLoaded = entry?.state !== 'not-loaded';
  return {
    contextTokens: isLoaded ? (entry?.loaded_context_length ?? null) : null,
    mostTokens: entry?.max_context_length ?? null,
    slots: null,
  };
}

function read<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> | null {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? parsed.output : null;
}

function isSame(own: string | null | undefined, model: string): boolean {
  return own != null && withTag(own) === withTag(model);
}

/** Ollama takes a name without a tag for the latest, and any case. */
function withTag(model: string): string {
  const lower = model.toLowerCase();
  return lower.slice(lower.lastIndexOf('/') + 1).includes(':') ? lower : `${lower}:latest`;
}

function trainedFor(info: Readonly<Record<string, unknown>>): number | null {
  const [, tokens] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? [];
  return typeof tokens === 'number' && Number.isInteger(tokens) && tokens > 0 ? tokens : null;
}
