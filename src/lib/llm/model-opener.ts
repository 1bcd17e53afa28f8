import { contextTokensOf, type EndpointRow } from '../core/endpoint';
import { failure } from '../core/failure';
import { BUILT_IN, type EndpointId } from '../core/ids';
import type { Clock, Model, ModelOpener, Network, ProfileStore } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { OpenAiModel } from './model-openai';
import type { SessionKeys } from './session-keys';

export interface OpenerOptions {
  readonly profiles: ProfileStore;
  readonly sessionKeys: Pick<SessionKeys, 'get'>;
  readonly builtIn: Model;
  readonly clock: Clock;
  readonly network: Network;
  readonly estimateTokens: (text: string) => number;
  readonly fetch?: typeof fetch;
}

interface Opened {
  readonly updatedMs: number;
  /** Learned of the server after the profile was saved. */
  readonly contextTokens: number | null;
  readonly key: string | null;
  readonly model: Model;
}

/** Opens profiles as models. A profile that has not changed keeps its model, and what that learned of its server. */
export function createModelOpener(options: OpenerOptions): ModelOpener {
  const opened = new Map<EndpointId, Opened>();
  return {
    async open(id) {
      if (id === BUILT_IN) return ok(options.builtIn);
      const row = await options.profiles.endpoint(id);
      if (!row.ok) return row;
      if (row.value === null) {
        opened.delete(id);
        return fail(failure('endpoint_missing', { details: { endpoint: id } }));
      }
      const key = await resolveKey(row.value, options);
      if (!key.ok) return key;
      const known = opened.get(id);
      const { baseUrl, model: name, updatedMs } = row.value;
      const contextTokens = contextTokensOf(row.value);
      const isSame = known?.updatedMs === updatedMs && known.contextTokens === contextTokens && known.key === key.value;
      if (known && isSame) return ok(known.model);
      const model = new OpenAiModel({ ...options, baseUrl, model: name, contextTokens, key: key.value });
      opened.set(id, { updatedMs, contextTokens, key: key.value, model });
      return ok(model);
    },
  };
}

/** The key to send, null for none. `key_unavailable` when the profile has one that is not at hand. */
export async function resolveKey(
  row: EndpointRow,
  options: Pick<OpenerOptions, 'profiles' | 'sessionKeys'>,
): Promise<Result<string | null>> {
  const unavailable = () => fail(failure('key_unavailable', { details: { url: row.baseUrl, model: row.model } }));
  switch (row.key) {
    case 'none':
      return ok(null);
    case 'session': {
      const given = options.sessionKeys.get(row.id)?.trim();
      return given ? ok(given) : unavailable();
    }
    case 'stored': {
      const stored = await options.profiles.endpointKey(row.id);
      if (!stored.ok) return stored;
      const key = stored.value?.trim();
      return key ? ok(key) : unavailable();
    }
  }
}
