import { InjectedFault, type FaultOrder, type FaultPlan, type FaultPoint } from '../lib/core/fault-points';
import type { TaskId } from '../lib/core/ids';

interface Armed {
  readonly order: FaultOrder;
  left: number;
}

/** Faults that were asked for, one a task at most, each of which happens once. With none, every point is passed. */
export class ArmedFaults implements FaultPlan {
  readonly #armed = new Map<TaskId, Armed>();
  readonly #stop: (point: FaultPoint) => void;

  /** `stop` ends this worker: nothing that waits for it goes on. */
  constructor(stop: (point: FaultPoint) => void) {
    this.#stop = stop;
  }

  /** Replaces what was asked for the same task. */
  arm(order: FaultOrder): void {
    this.#armed.set(order.taskId, { order, left: order.nth });
  }

  reach(point: FaultPoint, id: TaskId): void | Promise<void> {
    const armed = this.#armed.get(id);
    if (armed?.order.point !== point) return;
    armed.left -= 1;
    if (armed.left > 0) return;
    this.#armed.delete(id);
    if (armed.order.how === 'throw') throw new InjectedFault(point);
    this.#stop(point);
    return new Promise(() => undefined);
  }
}
