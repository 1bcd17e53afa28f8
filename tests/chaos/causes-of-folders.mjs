/** What happens to a task's folder, and to the permission to read it. */

/** @import { Cause } from './causes.mjs' */
/** @import { ChaosEvent } from './chaos-types' */
/** @import { World } from './world.mjs' */

/** @satisfies {Record<string, Cause>} */
export const folderCauses = {
  'files edited': async (world, event) => (folderOf(world, event)?.edit(event.draw, countOf(event)) ? undefined : null),
  'files added': async (world, event) => (folderOf(world, event)?.add(event.draw, countOf(event)) ? undefined : null),
  'files deleted': async (world, event) =>
    folderOf(world, event)?.remove(event.draw, countOf(event)) ? undefined : null,
  'files renamed': async (world, event) =>
    folderOf(world, event)?.rename(event.draw, countOf(event)) ? undefined : null,
  'folder taken away': async (world, event) => {
    const folder = folderOf(world, event);
    if (!folder?.takeAway()) return null;
    return () => folder.bringBack();
  },
  'permission lost': async (world, event) => {
    const { browser, interrupted } = world;
    const folder = folderOf(world, event);
    if (!folder || !browser.isGranted(folder.path)) return null;
    const restart = async () => {
      interrupted();
      await browser.quit();
      await browser.start();
    };
    browser.revoke(folder.path);
    await restart();
    return async () => {
      browser.grant(folder.path);
      await restart();
    };
  },
};

/** @param {World} world @param {ChaosEvent} event */
function folderOf({ folders }, { task }) {
  return folders[task % folders.length];
}

/** One to five files. @param {ChaosEvent} event */
function countOf({ draw }) {
  return 1 + (Math.floor(draw * 1_000) % 5);
}
