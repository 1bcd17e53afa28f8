import { settingsOf, type EndpointRow } from '../core/endpoint';
import type { EndpointId } from '../core/ids';
import type { Clock, ProfileStore } from '../core/ports';
import { EndpointMemory } from './endpoint-memory';
import { openEndpointLine, type EndpointLine } from './throughput/endpoint-line';

export interface OpenedLine extends EndpointLine {
  readonly memory: EndpointMemory;
}

interface Known {
  readonly baseUrl: string;
  /** What the line is made of. */
  readonly made: string;
  readonly opened: Promise<OpenedLine>;
}

interface EndpointLinesOptions {
  readonly profiles: Pick<ProfileStore, 'learned' | 'putLearned'>;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

/** One line to an endpoint for all tasks of this worker, for as long as what it is made of stays the same. */
export class EndpointLines {
  readonly #options: EndpointLinesOptions;
  readonly #known = new Map<EndpointId, Known>();

  constructor(options: EndpointLinesOptions) {
    this.#options = options;
  }

  of(row: EndpointRow): Promise<OpenedLine> {
    const { concurrency, requestsPerMinute, tokensPerMinute, moreUrls } = settingsOf(row);
    const { slots = null, streamsPerConnection = null, lanes = [] } = row.capabilities ?? {};
    const made = JSON.stringify([
      [row.baseUrl, isSecret(row), concurrency, requestsPerMinute, tokensPerMinute, moreUrls],
      [slots, streamsPerConnection, lanes],
    ]);
    const known = this.#known.get(row.id);
    if (known?.made === made) return known.opened;
    const opened = this.#open(row, known?.baseUrl === row.baseUrl ? known.opened : null);
    this.#known.set(row.id, { baseUrl: row.baseUrl, made, opened });
    if (known && known.baseUrl !== row.baseUrl) void known.opened.then(({ line }) => line.close());
    return opened;
  }

  forget(id: EndpointId): void {
    const known = this.#known.get(id);
    this.#known.delete(id);
    void known?.opened.then(({ line }) => line.close());
  }

  async #open(row: EndpointRow, before: Promise<OpenedLine> | null): Promise<OpenedLine> {
    const { profiles, ...means } = this.#options;
    const former = await before;
    former?.line.close();
    const memory = former?.memory ?? (await EndpointMemory.open(profiles, row));
    const profile = {
      baseUrl: row.baseUrl,
      isSecret: isSecret(row),
      settings: settingsOf(row),
      capabilities: row.capabilities ?? null,
    };
    const { line, rates } = openEndpointLine(profile, { ...means, levels: memory.levels, onTaken: memory.changed });
    memory.follow(rates);
    return { line, rates, memory };
  }
}

/** What is sent with a request opens the door to it: the key, or a header that may be one. */
function isSecret(row: EndpointRow): boolean {
  return row.key !== 'none' || Object.keys(settingsOf(row).headers).length > 0;
}
