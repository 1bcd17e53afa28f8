import { InjectedFault, type FaultOrder, type FaultPlan, type FaultPoint } from '../lib/core/fault-points';
import type { TaskId } from '../lib/core/ids';

interface Armed {
  readonly order: FaultOrder;
  left: number;
}

/** Passed again and again while a task is worked on. */
const EVERYWHERE: readonly FaultPoint[] = ['before-request', 'after-response', 'before-commit', 'after-commit'];

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

  /** The worker is to end at one of the moments that come by all the time; `where`, in [0, 1), tells at which. */
  armSomewhere(taskId: TaskId, where: number): true {
    const point = EVERYWHERE[Math.floor(where * EVERYWHERE.length)] ?? 'before-commit';
    this.arm({ taskId, point, nth: 1, how: 'stop' });
    return true;
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
