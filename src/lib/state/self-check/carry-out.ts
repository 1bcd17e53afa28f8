import { WorkerStopped } from '../../bridge/worker-host';
import { FAULT_POINTS, type FaultOrder, type FaultPoint } from '../../core/fault-points';
import { FailureError } from '../../core/failure-error';
import { BUILT_IN, type TaskId } from '../../core/ids';
import type { Result } from '../../core/result';
import type { BatchOptions, TaskRow } from '../../core/task';
import { availableLocks } from '../../platform/locks-web';
import { rows } from '../page-rows';
import { CHECK_FOLDER, CheckFolder } from './check-folder';
import { CheckWorker } from './check-worker';
import type { CrowdEvidence, Evidence, FinishedStep, ForkEvidence, RunEvidence } from './evidence';
import * as read from './task-rows';
import { CHECK_INSTRUCTIONS } from './throwaway-tasks';

export interface CheckProgress {
  /** What is being tried now; null for the run that nobody disturbs. */
  readonly at: FaultPoint | 'fork' | 'crowd' | null;
  readonly done: number;
  readonly of: number;
}

/** More than one second each for a handful of texts, on a machine that is busy. */
const LIMIT_MS = 60_000;
const CROWD = 8;
/** In the middle of the work where a point is passed many times; everywhere else the first time. */
const NTH: Partial<Record<FaultPoint, number>> = {
  'before-request': 4,
  'mid-stream': 4,
  'after-response': 4,
  'before-commit': 8,
  'after-commit': 8,
  'after-effect': 3,
};

const OPTIONS: BatchOptions = {
  v: 1,
  template: 'summary',
  instructions: CHECK_INSTRUCTIONS,
  language: 'en',
  include: [],
  exclude: [],
  concurrency: 2,
};

/**
 * Runs a throwaway task many times over, ends its worker at every point that has a name, and gathers what is left. All
 * that it made is deleted again, also when it fails. One after the other: another tab's, or one that was left, goes first.
 */
export function carryOut(onProgress: (progress: CheckProgress) => void): Promise<Evidence> {
  return availableLocks().hold('self-check', new AbortController().signal, () => checked(onProgress));
}

async function checked(onProgress: (progress: CheckProgress) => void): Promise<Evidence> {
  const of = FAULT_POINTS.length + 3;
  let done = 0;
  const step = async <T>(at: CheckProgress['at'], work: () => Promise<T>): Promise<T> => {
    onProgress({ at, done, of });
    const made = await work();
    done += 1;
    return made;
  };
  const worker = new CheckWorker();
  try {
    await clear(worker);
    const check = new Check(worker, await CheckFolder.make());
    const undisturbed = await step(null, () => check.run(null));
    const disturbed: RunEvidence[] = [];
    for (const point of FAULT_POINTS) disturbed.push(await step(point, () => check.run(point)));
    const fork = await step('fork', () => check.fork());
    const crowd = await step('crowd', () => check.crowd());
    return { undisturbed, disturbed, fork, crowd };
  } finally {
    await clear(worker).finally(() => worker.end());
  }
}

/** Also what an earlier check left that was cut off. */
async function clear(worker: CheckWorker): Promise<void> {
  worker.task = null;
  for (const { id } of await checkTasks()) needed(await worker.api.deleteTask(id));
  await CheckFolder.remove();
}

async function checkTasks(): Promise<readonly TaskRow[]> {
  const named = (await rows.tasks()).readable.filter(({ folderName }) => folderName === CHECK_FOLDER);
  const isOurs = await Promise.all(named.map((task) => isOfCheck(task)));
  return named.filter((_, index) => isOurs[index]);
}

async function isOfCheck({ folderId }: TaskRow): Promise<boolean> {
  const folder = needed(await rows.folder(folderId));
  return folder?.handle ? CheckFolder.isOne(folder.handle) : false;
}

class Check {
  readonly #worker: CheckWorker;
  readonly #folder: CheckFolder;

  constructor(worker: CheckWorker, folder: CheckFolder) {
    this.#worker = worker;
    this.#folder = folder;
  }

  async run(point: FaultPoint | null): Promise<RunEvidence> {
    const beganMs = performance.now();
    const { id, finishedBefore } = await this.#begin(point);
    await whenDone(id);
    const evidence = await this.#evidence(id, point, await finishedBefore, beganMs);
    await this.#delete(id);
    return evidence;
  }

  async fork(): Promise<ForkEvidence> {
    const { id } = await this.#begin(null);
    const parent = await whenDone(id);
    const beganMs = performance.now();
    const parentBefore = await read.wholeTask(id);
    const lastOfFiles = (await read.checkpointsOf(id)).find(
      ({ stage, status }) => stage === 'files' && status === 'running',
    );
    const seq = lastOfFiles?.seq ?? 0;
    const child = needed(await this.#worker.api.forkTask({ parent: id, seq, changes: { name: parent.name } }));
    const forked = await whenDone(child);
    const evidence = {
      durationMs: performance.now() - beganMs,
      parentBefore,
      parentAfter: await read.wholeTask(id),
      report: await reportOf(forked),
      parentReport: await reportOf(parent),
      requests: forked.requests,
    };
    for (const each of [child, id]) await this.#delete(each);
    return evidence;
  }

  /** Eight workers are told to go on with one task at the same moment. */
  async crowd(): Promise<CrowdEvidence> {
    const { id, finishedBefore } = await this.#begin('before-request', false);
    const before = await finishedBefore;
    this.#worker.end();
    const epoch = (await taskOf(id)).epoch;
    const beganMs = performance.now();
    const workers = Array.from({ length: CROWD }, () => new CheckWorker());
    try {
      await Promise.all(workers.map((worker) => worker.start()));
      await Promise.all(workers.map(async (worker) => needed(await worker.api.continueTask(id))));
      await whenDone(id);
    } finally {
      for (const worker of workers) worker.end();
    }
    const run = await this.#evidence(id, null, before, beganMs);
    const owners = (await taskOf(id)).epoch - epoch;
    await this.#delete(id);
    return { durationMs: run.durationMs, workers: CROWD, owners, run };
  }

  /** Starts the task; with a point, its worker ends there, and what was finished by then is read before the next begins. */
  async #begin(
    point: FaultPoint | null,
    goesOn = true,
  ): Promise<{ id: TaskId; finishedBefore: Promise<readonly FinishedStep[]> }> {
    const worker = this.#worker;
    const stopped = Promise.withResolvers<readonly FinishedStep[]>();
    worker.stops = 0;
    worker.task = null;
    const fault: Omit<FaultOrder, 'taskId'> | null = point && { point, nth: NTH[point] ?? 1, how: 'stop' };
    worker.onStop = () => {
      worker.onStop = () => undefined;
      stopped.resolve(this.#named().then((id) => read.finishedSteps(id)));
    };
    const request = {
      name: 'Self-check',
      source: { kind: 'handle', handle: this.#folder.handle },
      options: OPTIONS,
      endpointId: BUILT_IN,
    } as const;
    try {
      needed(await worker.api.createTask(fault ? { ...request, fault } : request));
    } catch (error) {
      // It may have ended before it could answer; the task is there.
      if (!(error instanceof WorkerStopped)) throw error;
    }
    const id = await this.#named();
    if (goesOn) worker.task = id;
    if (goesOn && worker.stops > 0) await worker.api.continueTask(id).catch(() => undefined);
    const ended = whenDone(id).then(() => []);
    ended.catch(() => undefined);
    return { id, finishedBefore: point ? Promise.race([stopped.promise, ended]) : Promise.resolve([]) };
  }

  async #named(): Promise<TaskId> {
    const task = (await checkTasks()).find(({ forkedFrom }) => forkedFrom === undefined);
    if (!task) throw new Error('the task was not made');
    return task.id;
  }

  async #evidence(
    id: TaskId,
    point: FaultPoint | null,
    finishedBefore: readonly FinishedStep[],
    beganMs: number,
  ): Promise<RunEvidence> {
    const durationMs = performance.now() - beganMs;
    const task = await taskOf(id);
    const checkpoints = await read.checkpointsOf(id);
    return {
      point,
      stops: this.#worker.stops,
      durationMs,
      report: await reportOf(task),
      written: task.outputPath === null ? {} : await this.#folder.written(task.outputPath),
      finishedBefore,
      finishedAfter: await read.finishedSteps(id),
      requests: task.requests,
      repeated: task.recovery?.repeated ?? 0,
      effects: await read.effectCounts(id),
      wrongCheckpoints: await read.wrongCheckpoints(id, checkpoints),
      checkpoints: checkpoints.length,
    };
  }

  async #delete(id: TaskId): Promise<void> {
    this.#worker.task = null;
    needed(await this.#worker.api.deleteTask(id));
  }
}

async function whenDone(id: TaskId): Promise<TaskRow> {
  const isOver = ({ status, output }: TaskRow) =>
    (status === 'completed' && output !== 'due') || status === 'failed' || status === 'cancelled';
  const task = await read.taskOnce(id, isOver, LIMIT_MS);
  if (task.failure) throw new FailureError(task.failure);
  return task;
}

async function taskOf(id: TaskId): Promise<TaskRow> {
  const task = needed(await rows.task(id));
  if (!task) throw new Error('the task is gone');
  return task;
}

async function reportOf(task: TaskRow): Promise<string> {
  return (task.report && (await rows.result(task.report))?.output) ?? '';
}

function needed<T>(result: Result<T>): T {
  if (!result.ok) throw new FailureError(result.failure);
  return result.value;
}
