import type { CheckpointRow } from './checkpoint';
import type { StepKey, TaskId } from './ids';
import { ok, type Result } from './result';
import { NO_FLAGS, type StepRow, type StepType } from './step';
import { NO_USAGE } from './usage';

/** What reading the past needs of a store. */
export interface PastReader {
  stepsOfType(id: TaskId, type: StepType, after: StepKey | null, limit: number): Promise<Result<readonly StepRow[]>>;
  checkpoints(id: TaskId, before: number | null, limit: number): Promise<Result<readonly CheckpointRow[]>>;
}

export interface PastPage {
  /** In key order. There can be more or fewer than asked for: rows that are gone since come too, later ones do not. */
  readonly steps: readonly StepRow[];
  /** Where the next page begins; null after the last. */
  readonly next: StepKey | null;
}

const CHECKPOINTS_A_PAGE = 200;

/**
 * A task's steps as they were after the commit `seq`, also while the task goes on. The rows of now are read in pages;
 * held in memory is what was taken back or removed since, and nothing else.
 *
 * Settled steps come as the rows that they were. A step that was pending or running comes as one that nobody has tried
 * yet, with the file as it is known now: what its tries left is not kept. Pieces of long files (`part`) are evidence
 * beside the steps: those written again since are left out.
 */
export class Past {
  readonly #reader: PastReader;
  readonly #id: TaskId;
  readonly #seq: number;
  /** The first row of each key that a later commit took back or removed, of those that were there at `seq`. */
  readonly #undone = new Map<StepKey, StepRow>();
  #seenSeq: number;

  constructor(reader: PastReader, id: TaskId, seq: number) {
    this.#reader = reader;
    this.#id = id;
    this.#seq = seq;
    this.#seenSeq = seq;
  }

  /** Steps of a type in key order after `after`. Failures: those of the store. */
  async page(type: StepType, after: StepKey | null, limit: number): Promise<Result<PastPage>> {
    const now = await this.#reader.stepsOfType(this.#id, type, after, limit);
    if (!now.ok) return now;
    // After the rows, so that whatever changes them meanwhile is seen.
    const seen = await this.#lookBack();
    if (!seen.ok) return seen;
    const next = now.value.length < limit ? null : (now.value.at(-1)?.key ?? null);
    const rows = new Map(now.value.map((step) => [step.key, step]));
    for (const [key, step] of this.#undone) {
      if (step.type === type && (after === null || key > after) && (next === null || key <= next)) rows.set(key, step);
    }
    const steps = [...rows.values()].flatMap((row) => this.#asOf(row)).sort((a, b) => (a.key < b.key ? -1 : 1));
    return ok({ steps, next });
  }

  #asOf(row: StepRow): readonly StepRow[] {
    if ((row.addedSeq ?? 0) > this.#seq) return [];
    const isOfThen = row.seq <= this.#seq;
    if (row.type === 'part') return isOfThen ? [row] : [];
    return [isOfThen && row.status !== 'pending' && row.status !== 'running' ? row : untried(row)];
  }

  /** Reads the checkpoints that came since the last look. */
  async #lookBack(): Promise<Result<void>> {
    const found = new Map<StepKey, StepRow>();
    let before: number | null = null;
    let newest = this.#seenSeq;
    for (;;) {
      const page: Result<readonly CheckpointRow[]> = await this.#reader.checkpoints(
        this.#id,
        before,
        CHECKPOINTS_A_PAGE,
      );
      if (!page.ok) return page;
      const later = page.value.filter(({ seq }) => seq > this.#seenSeq);
      newest = Math.max(newest, later[0]?.seq ?? 0);
      // Newest first: what is set last is the earliest.
      for (const { replaced } of later) {
        for (const step of [...replaced].reverse()) if ((step.addedSeq ?? 0) <= this.#seq) found.set(step.key, step);
      }
      before = later.at(-1)?.seq ?? null;
      if (before === null || later.length < CHECKPOINTS_A_PAGE) break;
    }
    this.#seenSeq = newest;
    for (const [key, step] of found) if (!this.#undone.has(key)) this.#undone.set(key, step);
    return ok();
  }
}

/** The step as one that nobody has tried yet. */
export function untried(step: StepRow): StepRow {
  const { suspicion: _, ...row } = step;
  return {
    ...row,
    status: 'pending',
    seq: row.addedSeq ?? 0,
    file: row.file && { ...row.file, digest: null },
    inputHash: null,
    resultKey: null,
    excerpt: '',
    outputTokens: 0,
    attempts: 0,
    history: [],
    failure: null,
    flags: NO_FLAGS,
    usage: NO_USAGE,
    durationMs: 0,
    finishedMs: null,
    requests: 0,
    reading: null,
  };
}
