import { resultKey, type InputHash, type ResultKey, type StepKey } from '../../core/ids';
import type { Begun, PartialRow } from '../../core/partial';
import type { CheckpointStore, Clock } from '../../core/ports';
import { isAbort } from '../../core/result';
import type { TokensAtRisk, TaskRow } from '../../core/task';
import { flushIntervalMs, meanUninterruptedMs } from './flush-interval';

interface PartialKeeperOptions {
  readonly store: Pick<CheckpointStore, 'putPartials'>;
  readonly clock: Clock;
  readonly estimateTokens: (text: string) => number;
  /** The task as it is now. */
  readonly row: () => TaskRow;
  /** Ends with the ownership. */
  readonly signal: AbortSignal;
}

interface Stored {
  readonly stepKey: StepKey;
  readonly characters: number;
  readonly tokens: number;
}

interface Streaming {
  readonly stepKey: StepKey;
  readonly text: string;
  readonly begun: Begun | null;
}

/** Assumed until the first flush was timed. */
const FIRST_COST_MS = 2;
/** Weight of the newest flush in what a flush is taken to cost. */
const NEWEST = 0.2;
/** The bound looks back over this many flushes. */
const RECENT_FLUSHES = 32;

/**
 * Writes down answers while they stream in, so that an interruption loses seconds of them and not all. What it keeps may
 * be lost without harm to any result: storage that refuses is tried again with the next flush.
 */
export class PartialKeeper {
  readonly #options: PartialKeeperOptions;
  readonly #streaming = new Map<ResultKey, Streaming>();
  readonly #stored = new Map<ResultKey, Stored>();
  /** What answers can be gone on with from, until they are whole or their step has come to its end. */
  readonly #begun = new Map<ResultKey, Begun>();
  readonly #settledBy = new Map<ResultKey, ResultKey>();
  readonly #unflushedTokens: number[] = [];
  #costMs = FIRST_COST_MS;
  #flushing: Promise<void> | null = null;
  #isTicking = false;

  constructor(options: PartialKeeperOptions) {
    this.#options = options;
  }

  /** Unfinished answers that an earlier owner left: the commit with the finished one removes them. */
  adopt(partials: readonly PartialRow[]): void {
    for (const { request, stepKey, text, tokens, begun } of partials) {
      this.#stored.set(request, { stepKey, characters: lengthOf(text, begun ?? null), tokens });
      if (begun) this.#begun.set(request, begun);
    }
  }

  /** What an earlier try of the same request left, in this run or before it; null for nothing that can be gone on with. */
  begunOf(hash: InputHash): Begun | null {
    return this.#begun.get(resultKey(hash)) ?? null;
  }

  /** The whole text of an answer so far, and what of it can be gone on with. */
  keep(hash: InputHash, stepKey: StepKey, text: string, begun: Begun | null = null): void {
    const request = resultKey(hash);
    const before = this.#begun.get(request);
    const isOther = begun !== null && before !== undefined && isOfAnotherModel(before, begun);
    const stored = isOther ? undefined : this.#stored.get(request);
    const length = lengthOf(text, begun);
    // A try that began anew has said less than the one before it: until it has said more, that is kept.
    if (stored && stored.characters >= length) return;
    if (begun !== null && (isOther || before === undefined || lengthOf('', before) <= length)) {
      this.#begun.set(request, begun);
    }
    this.#streaming.set(request, { stepKey, text, begun });
    if (!this.#isTicking) void this.#tick();
  }

  /** The answer is whole and will be saved under `saved`; from here on nothing more of it is written down. */
  answered(hash: InputHash, saved: ResultKey): void {
    const request = resultKey(hash);
    this.#streaming.delete(request);
    this.#begun.delete(request);
    if (this.#stored.has(request)) this.#settledBy.set(saved, request);
  }

  /** The answer came to nothing that could be gone on with: the next try begins with nothing. */
  forget(hash: InputHash): void {
    this.#streaming.delete(resultKey(hash));
    this.#begun.delete(resultKey(hash));
  }

  /** Partial answers that a commit with these results makes needless. */
  settledWith(results: readonly { readonly key: ResultKey }[]): readonly ResultKey[] {
    return results.flatMap(({ key }) => {
      const request = this.#settledBy.get(key);
      if (request === undefined) return [];
      this.#settledBy.delete(key);
      this.#stored.delete(request);
      return [request];
    });
  }

  /** Partial answers of a step that has come to its end: whatever it was, nothing of it is gone on with. */
  settledOf(step: StepKey): readonly ResultKey[] {
    for (const [request, { stepKey }] of this.#streaming) {
      if (stepKey !== step) continue;
      this.#streaming.delete(request);
      this.#begun.delete(request);
    }
    const settled = [...this.#stored].flatMap(([request, { stepKey }]) => (stepKey === step ? [request] : []));
    for (const request of settled) {
      this.#stored.delete(request);
      this.#begun.delete(request);
    }
    return settled;
  }

  /** The most that was not yet written down when it lately was, and how often that is; null before there was anything. */
  get atRisk(): TokensAtRisk | null {
    if (this.#unflushedTokens.length === 0) return null;
    return { tokens: Math.max(...this.#unflushedTokens), flushMs: Math.round(this.#intervalMs()) };
  }

  /** Writes down now what streamed in since it last was. Never rejects. */
  async flush(): Promise<void> {
    // One after the other: an older text must not arrive behind a newer one.
    while (this.#flushing) await this.#flushing;
    if (this.#streaming.size === 0) return;
    this.#flushing = this.#write().finally(() => (this.#flushing = null));
    await this.#flushing;
  }

  async #tick(): Promise<void> {
    this.#isTicking = true;
    const { clock, signal } = this.#options;
    try {
      while (this.#streaming.size > 0) {
        await clock.sleep(this.#intervalMs(), signal);
        await this.flush();
      }
    } catch (error) {
      if (!isAbort(error)) throw error;
      await this.flush();
    } finally {
      this.#isTicking = false;
    }
  }

  async #write(): Promise<void> {
    const { store, clock, estimateTokens, row } = this.#options;
    const { id, epoch } = row();
    const streaming = [...this.#streaming];
    this.#streaming.clear();
    let unflushed = 0;
    const partials = streaming.map(([request, { stepKey, text, begun }]): PartialRow => {
      const stored = this.#stored.get(request) ?? { characters: 0, tokens: 0 };
      const tokens = begun?.tokens ?? stored.tokens + estimateTokens(text.slice(stored.characters));
      unflushed += Math.max(0, tokens - stored.tokens);
      this.#stored.set(request, { stepKey, characters: lengthOf(text, begun), tokens });
      const row = { v: 1, taskId: id, request, stepKey, text, tokens, updatedMs: clock.now() } as const;
      return begun === null ? row : { ...row, begun };
    });
    this.#unflushedTokens.push(unflushed);
    if (this.#unflushedTokens.length > RECENT_FLUSHES) this.#unflushedTokens.shift();
    const beganMs = clock.monotonicMs();
    const written = await store.putPartials(id, epoch, partials).catch(() => null);
    if (written?.ok) this.#costMs += NEWEST * (clock.monotonicMs() - beganMs - this.#costMs);
  }

  #intervalMs(): number {
    return flushIntervalMs(this.#costMs, meanUninterruptedMs(this.#options.row()));
  }
}

/** How much of an answer has come in. */
function lengthOf(text: string, begun: Begun | null): number {
  return begun === null ? text.length : begun.content.length + begun.reasoning.length;
}

function isOfAnotherModel(a: Begun, b: Begun): boolean {
  return a.served !== null && b.served !== null && a.served !== b.served;
}
