/** Waits until every task is done and written, doing what the screen asks a person for, and nothing else. */
import { setTimeout as pass } from 'node:timers/promises';
import { listFiles } from '../support/folder.mjs';
import { join } from 'node:path';

/** @import { SeenTask } from './chaos-types' */
/** @import { World } from './world.mjs' */

const LOOK_EVERY_MS = 500;
/** Longer than any wait that ends by itself: a parked task looks again after a minute at the latest. */
const STILL_LIMIT_MS = 150_000;
/** What ends by itself is given that long before a person is thought to click. */
const PATIENCE_MS = 75_000;
const CLICK_LIMIT_MS = 20_000;
/** More often is not a click that a person would mind, but work. */
const MOST_HELPS = 3;

/**
 * The click that the screen offers for a task in this state, and whether it is asked for or would only hurry.
 * @param {SeenTask} task
 * @returns {{ button: string, isAsked: boolean } | null}
 */
export function helpFor({ status, reason, output, failed }) {
  if (status === 'paused' && reason === 'permission') return { button: 'grant-folder', isAsked: false };
  if (status === 'paused') return { button: 'continue', isAsked: reason === 'attention' };
  if (status === 'failed') return { button: failed > 0 ? 'retry-failed' : 'continue', isAsked: true };
  if (status !== 'completed') return null;
  if (failed > 0) return { button: 'retry-failed', isAsked: true };
  return output === 'refused' || output === 'failed' ? { button: 'allow-writing', isAsked: true } : null;
}

/**
 * @param {SeenTask} task
 * @param {number | null} [beforeMs] when it had finished, if it is to do so once more; its row says that long after
 */
export function isDone({ status, output, failed, finishedMs }, beforeMs = null) {
  return status === 'completed' && output === 'written' && failed === 0 && finishedMs !== beforeMs;
}

/**
 * Progress bounds it, not time: a task that changes nothing, asks nothing and writes nothing for longer than any wait
 * of the app is stuck, and so is one that wants help again and again.
 * @param {World} world
 * @param {SeenTask | null} [again] is to finish once more
 */
export async function finish(world, again = null) {
  const { evidence, folders, tasks } = world;
  const isReady = (/** @type {SeenTask} */ task) => isDone(task, task.id === again?.id ? again.finishedMs : null);
  /** @type {Map<string, number>} */
  const helps = new Map();
  let before = '';
  let changedMs = performance.now();
  for (;;) {
    await world.look();
    const seen = evidence.last?.tasks ?? [];
    if (seen.length === tasks.length && seen.every(isReady)) return;
    const written = folders.map(({ path }) => listFiles(join(path, 'talaria')).length);
    const now = JSON.stringify([seen.map(({ seq, epoch }) => [seq, epoch]), world.asked(), written]);
    if (now !== before) changedMs = performance.now();
    before = now;
    const stillMs = performance.now() - changedMs;
    const puzzled = seen.find(({ output }) => output === 'waiting');
    if (puzzled) return evidence.isStuck(puzzled, 'asks about files that nobody else has written');
    const wanting = seen.find((task) => {
      const help = isDone(task) ? null : helpFor(task);
      return help !== null && (help.isAsked || stillMs > PATIENCE_MS);
    });
    if (wanting) {
      const times = (helps.get(wanting.id) ?? 0) + 1;
      helps.set(wanting.id, times);
      if (times > MOST_HELPS) return evidence.isStuck(wanting, `wants help for the ${times}th time`);
      await help(world, wanting);
    } else if (stillMs > STILL_LIMIT_MS) {
      const idle = seen.filter((task) => !isReady(task));
      for (const task of idle) evidence.isStuck(task, `nothing for ${Math.round(stillMs / 1_000)} s`);
      if (idle.length === 0) evidence.stuck.push(`${tasks.length - seen.length} tasks are not there any more`);
      return;
    }
    await pass(LOOK_EVERY_MS);
  }
}

/** Has tasks whose folders were changed look at them once more, as a person does who knows of it. @param {World} world */
export async function lookAgain(world) {
  const { evidence, folders } = world;
  for (const folder of folders) {
    const task = evidence.last?.tasks.find(({ name }) => name === folder.name);
    if (!folder.isChanged || evidence.stuck.length > 0) continue;
    if (!task) throw new Error(`No task is known of the folder "${folder.name}".`);
    await click(world, task, 'continue');
    await finish(world, task);
  }
}

/** @param {World} world @param {SeenTask} task */
async function help(world, task) {
  const wanted = helpFor(task);
  if (!wanted) return;
  world.evidence.helped(`${task.reason ?? task.code ?? task.status}: ${wanted.button}`);
  await click(world, task, wanted.button);
}

/** @param {World} world @param {SeenTask} task @param {string} button */
async function click(world, task, button) {
  const { tab } = world.browser;
  world.interrupted();
  await world.browser.goTo(`/task?id=${encodeURIComponent(task.id)}`);
  // It may have gone on by itself meanwhile, and the button with it.
  await tab
    .getByTestId(button)
    .click({ timeout: CLICK_LIMIT_MS })
    .catch(() => undefined);
}
