import type { FaultPlan, FaultPoint } from '../core/fault-points';

/** A plan that does something once, at the `nth` time that a point is passed, and remembers what was passed. */
export class FaultScript implements FaultPlan {
  readonly passed: FaultPoint[] = [];
  readonly #point: FaultPoint;
  readonly #nth: number;
  readonly #act: () => void | Promise<void>;

  constructor(point: FaultPoint, act: () => void | Promise<void>, nth = 1) {
    this.#point = point;
    this.#nth = nth;
    this.#act = act;
  }

  get hasHappened(): boolean {
    return this.timesPassed(this.#point) >= this.#nth;
  }

  timesPassed(point: FaultPoint): number {
    return this.passed.filter((each) => each === point).length;
  }

  reach(point: FaultPoint): void | Promise<void> {
    this.passed.push(point);
    if (point === this.#point && this.timesPassed(point) === this.#nth) return this.#act();
  }
}
