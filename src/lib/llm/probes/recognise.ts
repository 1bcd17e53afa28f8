import * as v from 'valibot';
import type { ServerKind } from '../../core/capabilities';
import type { ModelListing } from '../../core/doctor';
import { windowInProps } from '../context/told-window';
import { rootOf } from '../hosts';
import type { ProbeContext } from './probe-context';
import { readJson } from './server-calls';

/** Which server it is, and what it tells of itself without being asked anything of its model. */
export interface Recognised {
  readonly server: ServerKind;
  readonly version: string | null;
  readonly contextTokens: number | null;
  readonly slots: number | null;
  /** What llama.cpp says of the model's chat template; null where nothing is said. */
  readonly templateTools: boolean | null;
}

const LIMIT_MS = 2_000;
const text = v.fallback(v.nullish(v.string()), null);
const Listed = v.object({ data: v.array(v.fallback(v.object({ owned_by: text }), { owned_by: null })) });
const Version = v.object({ version: v.string() });
const Props = v.object({
  build_info: text,
  chat_template_caps: v.fallback(v.nullish(v.object({ supports_tool_calls: v.boolean() })), null),
});
const LmStudio = v.object({ data: v.array(v.object({ state: v.string() })) });
const Tgi = v.object({ model_id: v.string(), version: v.string() });

const OWNERS: Readonly<Record<string, ServerKind>> = {
  llamacpp: 'llama.cpp',
  vllm: 'vllm',
  library: 'ollama',
  organization_owner: 'lm-studio',
  sglang: 'sglang',
};
const HOSTS: readonly (readonly [RegExp, ServerKind])[] = [
  [/(^|\.)openrouter\.ai$/, 'openrouter'],
  [/(^|\.)openai\.com$/, 'openai'],
];

/** `list` is the answer to `/models`, as JSON. Servers are asked one thing each that only they answer. */
export async function recognise(context: ProbeContext, list: unknown): Promise<Recognised> {
  const { baseUrl } = context.errors;
  const root = rootOf(baseUrl);
  const known = serverAt(baseUrl) ?? ownerIn(list);
  const read = async <T extends v.GenericSchema>(schema: T, path: string): Promise<v.InferOutput<T> | null> => {
    const parsed = v.safeParse(schema, await readJson(context, `${root}${path}`, null, LIMIT_MS));
    return parsed.success ? parsed.output : null;
  };
  const is = (server: ServerKind, version: string | null) => ({ ...NOTHING, server, version });
  switch (known) {
    case 'llama.cpp':
      return (await propsOf(context, root)) ?? is('llama.cpp', null);
    case 'vllm':
      return is('vllm', (await read(Version, '/version'))?.version ?? null);
    case 'ollama':
      return is('ollama', (await read(Version, '/api/version'))?.version ?? null);
    case 'sglang':
      return is('sglang', (await read(Version, '/get_server_info'))?.version ?? null);
    case 'lm-studio':
    case 'openrouter':
    case 'openai':
      return is(known, null);
    default: {
      const props = await propsOf(context, root);
      if (props) return props;
      const [ollama, lmStudio, tgi] = await Promise.all([
        read(Version, '/api/version'),
        read(LmStudio, '/api/v0/models'),
        read(Tgi, '/info'),
      ]);
      if (ollama) return is('ollama', ollama.version);
      if (lmStudio) return is('lm-studio', null);
      return tgi ? is('tgi', tgi.version) : is('unknown', null);
    }
  }
}

const NOTHING: Recognised = {
  server: 'unknown',
  version: null,
  contextTokens: null,
  slots: null,
  templateTools: null,
};

async function propsOf(context: ProbeContext, root: string): Promise<Recognised | null> {
  const value = await readJson(context, `${root}/props`, null, LIMIT_MS);
  const props = v.safeParse(Props, value);
  const { contextTokens, slots } = windowInProps(value);
  if (!props.success || (props.output.build_info == null && slots === null)) return null;
  return {
    server: 'llama.cpp',
    // Packagers add their name: `b11669-Debian`.
    version: /^b?\d+/.exec(props.output.build_info ?? '')?.[0] ?? null,
    contextTokens,
    slots,
    templateTools: props.output.chat_template_caps?.supports_tool_calls ?? null,
  };
}

/** Which server it is by its address alone; null where that does not tell. */
export function serverAt(baseUrl: string): ServerKind | null {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return HOSTS.find(([pattern]) => pattern.test(host))?.[1] ?? null;
}

/** The model that answers whatever name is asked for: llama.cpp does so while it serves one. */
export function onlyModel(models: readonly ModelListing[], list: unknown): ModelListing | null {
  return models.length === 1 && ownerIn(list) === 'llama.cpp' ? (models[0] ?? null) : null;
}

function ownerIn(list: unknown): ServerKind {
  const parsed = v.safeParse(Listed, list);
  const owner = parsed.success ? parsed.output.data[0]?.owned_by : null;
  return OWNERS[owner ?? ''] ?? 'unknown';
}
