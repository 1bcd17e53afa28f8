/** Finds a smaller schedule that still fails, by leaving events out. */

/** @import { Schedule } from './chaos-types' */

/**
 * Tries with halves, then quarters, and so on of the events left out, until leaving out any single one makes it pass
 * or the time is over. A failure that depends on chance may come and go: what is returned has failed at least once.
 * @param {Schedule} schedule one that fails
 * @param {(candidate: Schedule) => Promise<boolean>} fails
 * @param {() => boolean} isOver
 * @returns {Promise<Schedule>}
 */
export async function shrink(schedule, fails, isOver) {
  let smallest = schedule;
  let parts = 2;
  while (smallest.events.length > 1 && !isOver()) {
    const size = Math.ceil(smallest.events.length / parts);
    let found = false;
    // What comes last is most likely at fault, so the beginning is left out first.
    for (let at = 0; at < smallest.events.length && !isOver(); at += size) {
      const events = [...smallest.events.slice(0, at), ...smallest.events.slice(at + size)];
      const candidate = { ...smallest, events };
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      found = true;
      break;
    }
    if (found) parts = Math.max(2, parts - 1);
    else if (size === 1) break;
    else parts = Math.min(smallest.events.length, parts * 2);
  }
  return smallest;
}
