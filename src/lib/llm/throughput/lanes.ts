import type { Clock } from '../../core/ports';

/** One origin of the server, with the most requests that it may have at once. */
export interface LaneGiven {
  readonly baseUrl: string;
  readonly most: number;
}

export interface LanesOptions {
  /** The address that the person typed: never dropped, the key's own origin. */
  readonly home: LaneGiven;
  readonly others: readonly LaneGiven[];
  /**
   * Whether that address is the same server as home. Asked before an address is used and again after it failed, without
   * the key: another program may listen there.
   */
  readonly isSameServer: (baseUrl: string, signal: AbortSignal) => Promise<boolean>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** There is more room: a lane was opened. */
  readonly onRoom: () => void;
}

interface Lane extends LaneGiven {
  readonly isHome: boolean;
  state: 'open' | 'closed' | 'asking';
  out: number;
  failures: number;
  /** Requests, one after the other. */
  failedInARow: number;
  dueMs: number;
  /** How often it was opened: what was sent before says nothing of it now. */
  openings: number;
}

/** A place on a lane. It is left once. */
export interface LanePlace {
  readonly baseUrl: string;
  readonly isHome: boolean;
  /**
   * `unserved`: the lane itself failed. `failed`: that may have been the request's own fault, once. Any other answer that
   * the server gives to a request is no failure of its lane.
   */
  leave(how: 'served' | 'unserved' | 'failed'): void;
}

/** A lane on which all goes wrong is soon free again, and would draw every request to itself. */
const MOST_FAILED = 2;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 10 * 60_000;

/** Spreads requests over the names of one server, the one with least in flight first; home on a draw. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes: readonly Lane[];
  readonly #closing = new AbortController();

  constructor(options: LanesOptions) {
    this.#options = options;
    const fresh = { out: 0, failures: 0, failedInARow: 0, dueMs: -Infinity, openings: 0 };
    this.#lanes = [
      { ...options.home, ...fresh, isHome: true, state: 'open' },
      ...options.others.map((lane): Lane => ({ ...lane, ...fresh, isHome: false, state: 'closed' })),
    ];
  }

  /** Requests that may be out at once over all lanes that are open. */
  get room(): number {
    return this.#lanes.reduce((sum, lane) => sum + (lane.state === 'open' ? lane.most : 0), 0);
  }

  /** Null when every open lane is full; another is then asked whether it is the same server. */
  enter(): LanePlace | null {
    const free = this.#lanes.filter((lane) => lane.state === 'open' && lane.out < lane.most);
    const [first, ...rest] = free;
    if (!first) {
      this.#askNext();
      return null;
    }
    const lane = rest.reduce((least, each) => (each.out < least.out ? each : least), first);
    lane.out += 1;
    const { openings } = lane;
    let isLeft = false;
    return {
      baseUrl: lane.baseUrl,
      isHome: lane.isHome,
      leave: (how) => {
        if (isLeft) return;
        isLeft = true;
        lane.out -= 1;
        if (lane.state !== 'open' || lane.openings !== openings) return;
        if (how === 'failed') lane.failedInARow += 1;
        if (how === 'unserved' || lane.failedInARow >= MOST_FAILED) this.#drop(lane);
        if (how === 'served') Object.assign(lane, { failures: 0, failedInARow: 0 });
      },
    };
  }

  /** Asks no more. Places that are taken stay so. */
  close(): void {
    this.#closing.abort();
  }

  #askNext(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const next = this.#lanes.find((lane) => lane.state === 'closed' && lane.dueMs <= nowMs);
    const isAsking = this.#lanes.some((lane) => lane.state === 'asking');
    if (next && !isAsking && !this.#closing.signal.aborted) void this.#ask(next);
  }

  async #ask(lane: Lane): Promise<void> {
    lane.state = 'asking';
    const isSame = await this.#options.isSameServer(lane.baseUrl, this.#closing.signal).catch(() => false);
    if (this.#closing.signal.aborted) return;
    if (isSame) {
      lane.state = 'open';
      lane.openings += 1;
    } else this.#drop(lane);
    // Also after a refusal: whoever waits for room has the next one asked.
    this.#options.onRoom();
  }

  #drop(lane: Lane): void {
    if (lane.isHome) return;
    lane.state = 'closed';
    lane.failedInARow = 0;
    lane.dueMs = this.#options.clock.monotonicMs() + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** lane.failures);
    lane.failures += 1;
  }
}
