import type { Past } from '../core/past';
import type { StepKey } from '../core/ids';
import type { StepRow, StepType } from '../core/step';

const PAGE = 100;
const TYPES: readonly StepType[] = ['file', 'merge', 'section'];

/** The steps of a task as of one of its checkpoints, read page by page as they are wanted. */
export class PastSteps {
  #steps = $state.raw<readonly StepRow[]>([]);
  #next = $state.raw<{ type: StepType; after: StepKey | null } | null>({ type: 'file', after: null });
  #isReading = $state(false);
  #hasFailed = $state(false);

  constructor(private readonly past: Past) {}

  get steps(): readonly StepRow[] {
    return this.#steps;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** The browser did not let us read; `more` tries again. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Reads on until a page more is there, or all. */
  async more(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const wanted = this.#steps.length + PAGE;
      while (this.#next !== null && this.#steps.length < wanted) await this.#readPage(this.#next);
      this.#hasFailed = false;
    } catch {
      this.#hasFailed = true;
    } finally {
      this.#isReading = false;
    }
  }

  async #readPage({ type, after }: { type: StepType; after: StepKey | null }): Promise<void> {
    const page = await this.past.page(type, after, PAGE);
    if (!page.ok) throw new Error(page.failure.code);
    this.#steps = [...this.#steps, ...page.value.steps];
    const following = TYPES[TYPES.indexOf(type) + 1];
    if (page.value.next !== null) this.#next = { type, after: page.value.next };
    else this.#next = following === undefined ? null : { type: following, after: null };
  }
}
