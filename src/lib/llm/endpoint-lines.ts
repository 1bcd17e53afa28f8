import { settingsOf, type EndpointRow } from '../core/endpoint';
import type { EndpointId } from '../core/ids';
import type { Clock, ProfileStore } from '../core/ports';
import { EndpointMemory } from './endpoint-memory';
import { openEndpointLine, type EndpointLine } from './throughput/endpoint-line';
import type { Taken } from './throughput/rate-budget';

export interface OpenedLine extends EndpointLine {
  readonly memory: EndpointMemory;
}

interface Known {
  readonly baseUrl: string;
  /** What the line is made of. */
  readonly made: string;
  readonly opened: Promise<OpenedLine>;
}

export interface TakenMessage extends Taken {
  readonly id: EndpointId;
  readonly baseUrl: string;
}

/** Between the workers of the open tabs: each works on tasks of its own, and a server's rates are for all of them. */
export interface TakenChannel {
  send(message: TakenMessage): void;
  onMessage(listener: (message: TakenMessage) => void): void;
}

interface EndpointLinesOptions {
  readonly profiles: Pick<ProfileStore, 'learned' | 'putLearned'>;
  /** @default nobody else asks */
  readonly taken?: TakenChannel;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

/** One line to an endpoint for all tasks of this worker, for as long as what it is made of stays the same. */
export class EndpointLines {
  readonly #options: EndpointLinesOptions;
  readonly #known = new Map<EndpointId, Known>();

  constructor(options: EndpointLinesOptions) {
    this.#options = options;
    options.taken?.onMessage(({ id, baseUrl, ...taken }) => {
      const known = this.#known.get(id);
      if (known?.baseUrl === baseUrl) void known.opened.then(({ rates }) => rates.tookElsewhere(taken));
    });
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
    const { profiles, taken: channel, ...means } = this.#options;
    const { id, baseUrl } = row;
    const former = await before;
    former?.line.close();
    const memory = former?.memory ?? (await EndpointMemory.open(profiles, row));
    const profile = {
      baseUrl,
      isSecret: isSecret(row),
      settings: settingsOf(row),
      capabilities: row.capabilities ?? null,
    };
    const tellTaken = (taken: Taken) => channel?.send({ id, baseUrl, ...taken });
    const { levels, changed: onTaken } = memory;
    const { line, rates } = openEndpointLine(profile, { ...means, levels, onTaken, tellTaken });
    memory.follow(rates);
    return { line, rates, memory };
  }
}

/** What is sent with a request opens the door to it: the key, or a header that may be one. */
function isSecret(row: EndpointRow): boolean {
  return row.key !== 'none' || Object.keys(settingsOf(row).headers).length > 0;
}
