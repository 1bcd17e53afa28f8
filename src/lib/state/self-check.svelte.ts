import { toFailure } from '../core/failure-error';
import type { Failure } from '../core/failure';
import { carryOut, type CheckProgress } from './self-check/carry-out';
import type { Evidence } from './self-check/evidence';
import { judge, PROPERTIES, type Verdict } from './self-check/judge';

export type CheckResult = 'none' | 'pass' | 'fail';

/** The self-check as its screen shows it. */
export class SelfCheck {
  #progress = $state.raw<CheckProgress | null>(null);
  #verdicts = $state.raw<readonly Verdict[]>([]);
  #evidence = $state.raw<Evidence | null>(null);
  #failure = $state.raw<Failure | null>(null);

  /** What is being tried; null while nothing runs. */
  get progress(): CheckProgress | null {
    return this.#progress;
  }

  /** Why it could not be carried out. */
  get failure(): Failure | null {
    return this.#failure;
  }

  get rows() {
    return PROPERTIES.map((property) => {
      const verdict = this.#verdicts.find((each) => each.property === property) ?? null;
      const result: CheckResult = verdict === null ? 'none' : verdict.faults.length === 0 ? 'pass' : 'fail';
      return { property, verdict, result };
    });
  }

  get runs() {
    return this.#evidence ? [this.#evidence.undisturbed, ...this.#evidence.disturbed] : [];
  }

  get isDone(): boolean {
    return this.#evidence !== null;
  }

  async run(): Promise<void> {
    if (this.#progress) return;
    this.#failure = null;
    this.#evidence = null;
    this.#verdicts = [];
    try {
      const evidence = await carryOut((progress) => (this.#progress = progress));
      this.#evidence = evidence;
      this.#verdicts = judge(evidence);
    } catch (error) {
      this.#failure = toFailure(error);
    } finally {
      this.#progress = null;
    }
  }

  /** All that was seen, for somebody else to judge. */
  file(version: string, madeMs: number): Blob {
    const content = {
      talaria: 'self-check',
      v: 1,
      version,
      made: new Date(madeMs).toISOString(),
      browser: navigator.userAgent,
      verdicts: this.#verdicts,
      evidence: this.#evidence,
    };
    return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  }
}
