import { canonicalJson } from '../core/canonical';
import { contextTokensOf, settingsOf, type EndpointRow } from '../core/endpoint';
import { failure } from '../core/failure';
import { BUILT_IN, type EndpointId } from '../core/ids';
import type { Clock, Model, ModelOpener, Network, ProfileStore } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { COUNTED_SAMPLE } from './context/counted-sample';
import { PromptCounts } from './context/prompt-counts';
import { EndpointLines, type OpenedLine, type TakenChannel } from './endpoint-lines';
import { nothingLearned, type Learned } from './learned';
import { OpenAiModel } from './model-openai';
import type { SessionKeys } from './session-keys';

export interface OpenerOptions {
  readonly profiles: ProfileStore;
  readonly sessionKeys: Pick<SessionKeys, 'get'>;
  readonly builtIn: Model;
  readonly clock: Clock;
  readonly network: Network;
  readonly estimateTokens: (text: string) => number;
  /** Called with each profile that is opened; not waited for. */
  readonly onOpened?: (row: EndpointRow) => void;
  /** What other workers take of the same endpoints. @default there are none */
  readonly taken?: TakenChannel;
  readonly fetch?: typeof fetch;
}

interface Opened {
  /** All that the model was opened with. */
  readonly from: string;
  readonly line: OpenedLine;
  readonly model: Model;
  readonly server: string;
  readonly learned: Learned;
}

/**
 * Opens profiles as models. A profile that has not changed keeps its model; one with another key or other settings keeps
 * what was learned of its server, one with another address or model begins anew.
 */
export function createModelOpener(options: OpenerOptions): ModelOpener {
  const opened = new Map<EndpointId, Opened>();
  const lines = new EndpointLines(options);
  return {
    async open(id) {
      if (id === BUILT_IN) return ok(options.builtIn);
      const row = await options.profiles.endpoint(id);
      if (!row.ok) return row;
      if (row.value === null) {
        opened.delete(id);
        lines.forget(id);
        return fail(failure('endpoint_missing', { details: { endpoint: id } }));
      }
      const key = await resolveKey(row.value, options);
      if (!key.ok) return key;
      options.onOpened?.(row.value);
      const line = await lines.of(row.value);
      const known = opened.get(id);
      const { baseUrl, model: name } = row.value;
      const settings = settingsOf(row.value);
      const contextTokens = contextTokensOf(row.value);
      const { capabilities } = row.value;
      const server = canonicalJson([baseUrl, name]);
      const from = canonicalJson([
        server,
        { ...settings, sampling: { ...settings.sampling } },
        capabilities?.atMs ?? null,
        contextTokens,
        key.value,
      ]);
      if (known?.from === from && known.line === line) return ok(known.model);
      const learned = known?.server === server ? known.learned : nothingLearned();
      const { memory } = line;
      const counts = new PromptCounts({
        ratio: memory.ratioOf(name),
        // Not what the person typed: nobody but the server knows where it cuts.
        windowTokens: row.value.contextTokens ?? row.value.capabilities?.contextTokens ?? null,
        sampleRatio: sampleRatio(capabilities?.sampleTokens, options),
        onLearned: memory.changed,
      });
      const opening = {
        baseUrl,
        model: name,
        contextTokens,
        settings,
        key: key.value,
        learned,
        line: line.line,
        counts,
      };
      const model = new OpenAiModel({ ...options, ...opening, ...(capabilities && { capabilities }) });
      opened.set(id, { from, line, model, server, learned });
      return ok(model);
    },
  };
}

function sampleRatio(sampleTokens: number | null = null, options: Pick<OpenerOptions, 'estimateTokens'>) {
  return sampleTokens === null ? null : sampleTokens / options.estimateTokens(COUNTED_SAMPLE);
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
