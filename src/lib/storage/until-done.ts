import type { Result } from '../core/result';

/** Something to be done once before anything else is. */
export interface Order {
  /** Does it, or waits for whoever does. */
  (): Promise<Result<void>>;
  /** False also after it was forgotten. */
  readonly isDone: boolean;
  /** It has come undone: the next who asks does it again. */
  forget(): void;
}

/** Something to be done once and waited for by all who ask; after it failed or threw, the next who asks tries it again. */
export function untilDone(work: () => Promise<Result<void>>): Order {
  let underWay: Promise<Result<void>> | null = null;
  let doneBy: Promise<Result<void>> | null = null;
  const ask = () => {
    if (underWay) return underWay;
    const mine = work();
    underWay = mine;
    const settle = (isDone: boolean) => {
      if (underWay !== mine) return;
      if (isDone) doneBy = mine;
      else underWay = null;
    };
    void mine.then(
      (done) => settle(done.ok),
      () => settle(false),
    );
    return mine;
  };
  const forget = () => {
    underWay = null;
    doneBy = null;
  };
  return Object.defineProperty(Object.assign(ask, { forget, isDone: false }), 'isDone', {
    get: () => doneBy !== null,
  });
}

/** Runs `work` once things are in order, and once more when the order came undone under it. */
export async function onceInOrder<T>(order: Order, work: () => Promise<Result<T>>): Promise<Result<T>> {
  for (let isSecond = false; ; isSecond = true) {
    const ordered = await order();
    if (!ordered.ok) return ordered;
    const done = await work();
    if (done.ok || isSecond || order.isDone) return done;
  }
}
