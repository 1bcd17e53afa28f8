import { settingsOf, type EndpointRow } from '../lib/core/endpoint';
import type { EndpointId } from '../lib/core/ids';
import type { Clock, Network, ProfileStore } from '../lib/core/ports';
import { resolveKey } from '../lib/llm/model-opener';
import { recogniseEndpoint } from '../lib/llm/recognise-endpoint';
import type { SessionKeys } from '../lib/llm/session-keys';

interface LearningOptions {
  readonly profiles: ProfileStore;
  readonly sessionKeys: Pick<SessionKeys, 'get'>;
  readonly clock: Clock;
  readonly network: Network;
  /** Called when something was noted of a profile: tasks here and in other tabs may be using it. */
  readonly onLearned: () => void;
  readonly fetch?: typeof fetch;
}

/** A server that could not be recognised is not asked at every request. */
const AGAIN_MS = 60_000;
const LIMIT_MS = 10_000;

/**
 * Finds out of profiles that nobody tested what their servers tell of themselves: a task must not lose its way to resume
 * only because a button was not pressed.
 */
export class EndpointLearning {
  readonly #options: LearningOptions;
  readonly #lookedMs = new Map<EndpointId, number>();

  constructor(options: LearningOptions) {
    this.#options = options;
  }

  /** Looks in the background, unless it lately did. Never rejects. */
  look(row: EndpointRow): void {
    if (row.capabilities !== undefined) return;
    const nowMs = this.#options.clock.monotonicMs();
    const before = this.#lookedMs.get(row.id);
    if (before !== undefined && nowMs - before < AGAIN_MS) return;
    void this.learn(row, LIMIT_MS).catch(() => undefined);
  }

  /** Resolves within the limit, whatever the server does. */
  async learn(row: EndpointRow, limitMs: number): Promise<void> {
    const { profiles, clock, network, onLearned, fetch: send } = this.#options;
    this.#lookedMs.set(row.id, clock.monotonicMs());
    const key = await resolveKey(row, this.#options);
    if (!key.ok) return;
    const { id, baseUrl, model } = row;
    const limit = new AbortController();
    const about = { baseUrl, model, key: key.value, settings: settingsOf(row), clock, network, signal: limit.signal };
    const looking = recogniseEndpoint({ ...about, ...(send ? { fetch: send } : {}) }).catch(() => null);
    const found = await Promise.race([looking, clock.sleep(limitMs, limit.signal).then(() => null)]);
    limit.abort();
    if (found === null) return;
    // The doctor looks closer: what it noted meanwhile stays.
    const now = await profiles.endpoint(id);
    if (!now.ok || now.value?.capabilities !== undefined) return;
    await profiles.noteEndpoint({ id, baseUrl, model, contextTokens: found.contextTokens, capabilities: found });
    onLearned();
  }
}
