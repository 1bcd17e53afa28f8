/** What can happen to a task from outside, each with how it is done and undone. */
import { pageCauses } from './causes-of-pages.mjs';
import { serverCauses } from './causes-of-servers.mjs';
import { folderCauses } from './causes-of-folders.mjs';

/** @import { ChaosEvent } from './chaos-types' */
/** @import { CauseName } from './schedule.mjs' */
/** @import { World } from './world.mjs' */

/**
 * Strikes. What goes on until it is ended returns how it is ended; the runner does that after the event's time. Null
 * when it was not possible just then.
 * @typedef {(world: World, event: ChaosEvent) => Promise<(() => Promise<void> | void) | void | null>} Cause
 */

/** @type {Readonly<Record<CauseName, Cause>>} */
export const CAUSES = { ...pageCauses, ...serverCauses, ...folderCauses };
