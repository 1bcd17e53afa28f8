/** Plays one schedule: tasks at work, events striking, the end waited for, and the same folders done undisturbed. */
import { setTimeout as pass } from 'node:timers/promises';
import { CAUSES } from './causes.mjs';
import { ChaosFolder } from './chaos-folder.mjs';
import { finish, isDone, lookAgain } from './finish.mjs';
import { judge, repeatedCalls } from './invariants.mjs';
import { makeWorld } from './world.mjs';
import { written } from './written.mjs';

/** @import { ChaosEvent, RoundResult, Schedule } from './chaos-types' */
/** @import { World } from './world.mjs' */

const UNDISTURBED_CONCURRENCY = 16;

/**
 * @param {Schedule} schedule
 * @param {{ isOver?: () => boolean, say?: (line: string) => void }} [options] `isOver`: no further event, please
 * @returns {Promise<RoundResult>}
 */
export async function playRound(schedule, { isOver = () => false, say = () => undefined } = {}) {
  const startMs = performance.now();
  const secondsNow = () => Math.round((performance.now() - startMs) / 1_000);
  const tell = (/** @type {string} */ line) => say(`${String(secondsNow()).padStart(5)} s  ${line}`);
  const world = await makeWorld(schedule.tasks, schedule.servers, (root, { name, files }) =>
    ChaosFolder.make(root, name, files),
  );
  try {
    await world.startTasks();
    tell(`tasks of ${schedule.tasks.map(({ files }) => files).join(', ')} files at work`);
    await strike(world, schedule.events, isOver, tell);
    tell(`all is well again after ${world.asked()} questions; waiting for the tasks`);
    for (const server of world.servers) server.hurry();
    await finish(world);
    await lookAgain(world);
    const { evidence, folders } = world;
    tell(evidence.stuck.length === 0 ? 'doing the same folders undisturbed' : 'stuck');
    const compared = evidence.stuck.length === 0 ? await undisturbed(world) : null;
    const tasks = folders.map((folder, index) => ({
      name: folder.name,
      files: folder.files(),
      everSeen: folder.everSeen,
      disturbed: written(folder.path, folder.files()),
      undisturbed: compared?.[index] ?? null,
    }));
    const { savedAt, allowedRepeats, most, last, stuck } = evidence;
    const questions = world.questions();
    return {
      schedule,
      struck: evidence.struck,
      effects: evidence.effects,
      interruptions: evidence.interruptions,
      questions: questions.length,
      repeated: repeatedCalls(questions),
      allowedRepeats,
      databasesLost: evidence.databasesLost,
      helps: evidence.helps,
      files: tasks.reduce((sum, { files }) => sum + files.length, 0),
      leftovers: tasks.reduce((sum, { disturbed }) => sum + disturbed.leftovers, 0),
      seconds: secondsNow(),
      broken: judge({ tasks, questions, savedAt, allowedRepeats, most, last, stuck }),
    };
  } finally {
    await world.dispose();
  }
}

/**
 * One event after the other, each at its moment; what goes on for a while is ended in between.
 * @param {World} world @param {readonly ChaosEvent[]} events @param {() => boolean} isOver @param {(line: string) => void} say
 */
async function strike(world, events, isOver, say) {
  /** @type {{ endMs: number, end: () => Promise<void> | void }[]} */
  let open = [];
  const endDue = async (/** @type {number} */ nowMs) => {
    for (const { end } of open.filter(({ endMs }) => endMs <= nowMs)) await end();
    open = open.filter(({ endMs }) => endMs > nowMs);
  };
  for (const event of events) {
    const wanted = world.asked() + event.requests;
    const latestMs = performance.now() + event.withinMs;
    while (world.asked() < wanted && performance.now() < latestMs) {
      const nextMs = Math.min(latestMs, ...open.map(({ endMs }) => endMs));
      await world.waitFor(() => world.asked() >= wanted, nextMs - performance.now());
      await endDue(performance.now());
    }
    if (isOver() || isAllDone(world)) break;
    await pass(event.thenMs);
    await world.look();
    const end = await CAUSES[event.what](world, event);
    if (end === null) continue;
    world.evidence.struckBy(event.what);
    say(`${event.what}, after ${world.asked()} questions`);
    if (end) open.push({ endMs: performance.now() + event.forMs, end });
    await endDue(performance.now());
  }
  await endDue(Infinity);
}

/** @param {World} world */
function isAllDone({ evidence, tasks }) {
  const seen = evidence.last?.tasks ?? [];
  return seen.length === tasks.length && seen.every((task) => isDone(task));
}

/** The folders as they are at the end, done in a browser of their own that nothing happens to. @param {World} disturbed */
async function undisturbed({ folders, tasks }) {
  const wishes = tasks.map((wish) => ({ ...wish, answerMs: 0, server: 0, concurrency: UNDISTURBED_CONCURRENCY }));
  const byName = new Map(folders.map((folder) => [folder.name, folder]));
  const world = await makeWorld(wishes, 1, (root, { name }) => {
    const folder = byName.get(name);
    if (!folder) throw new Error(`There is no folder "${name}".`);
    return folder.copyTo(root);
  });
  try {
    await world.startTasks();
    await finish(world);
    if (world.evidence.stuck.length > 0) throw new Error(`Undisturbed: ${world.evidence.stuck.join('; ')}`);
    return world.folders.map((folder) => written(folder.path, folder.files()));
  } finally {
    await world.dispose();
  }
}
