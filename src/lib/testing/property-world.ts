import { NO_FAULTS, InjectedFault, type FaultPlan, type FaultPoint } from '../core/fault-points';
import type { FailureCode } from '../core/failure-codes';
import { resultKey, type InputHash } from '../core/ids';
import { inputHashOf } from '../core/input-hash';
import type { CheckpointStore } from '../core/ports';
import type { Disk, DiskKind } from './disks';
import { MEMORY } from './disks';
import { EngineBench, OPTIONS, TASK } from './engine-bench';
import { FaultScript } from './fault-script';
import type { JobCase } from './job-cases';
import { OwnerLife } from './owner-life';
import { plainDigest } from './plain-digest';
import { progressOf, rowsOf, type TaskRows } from './task-rows';

/** What a person has of a task in the end, times and costs aside. */
export interface Outcome {
  readonly status: string;
  readonly report: string;
  /** Path to content of what was written into the folder. */
  readonly output: Readonly<Record<string, string>>;
  readonly fates: Readonly<Record<string, string>>;
}

interface Fault {
  readonly point: FaultPoint;
  readonly nth: number;
}

const MOST_LIVES = 400;

/** A task, its folder and its model, on a disk that outlives those who work on it. */
export class PropertyWorld {
  readonly bench = new EngineBench();
  readonly job: JobCase;
  /** Requests made, by what they ask. */
  readonly asked = new Map<InputHash, number>();
  /** Texts that were asked about although their answer was saved. */
  readonly askedInVain: string[] = [];
  deaths = 0;
  /** What the last owner's run failed with. */
  refusal: FailureCode | null = null;
  readonly #disk: Disk;
  readonly #saved = new Set<InputHash>();

  private constructor(disk: Disk, job: JobCase) {
    this.#disk = disk;
    this.job = job;
    this.bench.store = disk.open();
    this.bench.isStoreBusy = () => disk.isBusy;
    this.bench.model.contextTokens = job.contextTokens;
    job.fill(this.bench.folder);
    this.bench.model.script(async (call) => {
      const hash = await inputHashOf(plainDigest, this.bench.model.identity, call.request);
      if (this.#saved.has(hash)) this.askedInVain.push(call.matter);
      const times = (this.asked.get(hash) ?? 0) + 1;
      this.asked.set(hash, times);
      await this.bench.clock.sleep(40 + (call.matter.length % 7) * 10);
      return job.answer(call, times);
    });
  }

  static make(kind: DiskKind, job: JobCase): Promise<PropertyWorld> {
    return PropertyWorld.on(kind.make(), job);
  }

  static async on(disk: Disk, job: JobCase): Promise<PropertyWorld> {
    const world = new PropertyWorld(disk, job);
    await world.bench.createTask(job.options);
    return world;
  }

  get store(): CheckpointStore {
    return this.bench.store;
  }

  get concurrency(): number {
    return this.job.options.concurrency ?? OPTIONS.concurrency;
  }

  /** A new worker's store over what is on the disk. */
  openStore(): CheckpointStore {
    return this.#disk.open();
  }

  /** An owner works until it dies of `fault`, or has nothing left to do. True when it died. */
  liveUntil(fault: Fault | null = null): Promise<boolean> {
    return this.live((life) => (fault ? new FaultScript(fault.point, () => life.dieHere(), fault.nth) : NO_FAULTS));
  }

  /** As `liveUntil`, with whatever may end the owner. */
  async live(faults: (life: OwnerLife) => FaultPlan, retryFailed = false, id = TASK): Promise<boolean> {
    const life = new OwnerLife(this.bench, faults, id);
    const found = await this.store.task(id);
    const isOver = found.ok && found.value?.status === 'completed' && !retryFailed;
    if (!isOver) await life.live(undefined, retryFailed);
    else if (found.value.output === 'due') await life.liveToWrite();
    this.refusal = life.refusal;
    if (life.isDead) await this.restart();
    await this.#lookAtSaved();
    return life.isDead;
  }

  /** An owner in which a defect shows at `fault`. */
  async liveWithDefect({ point, nth }: Fault): Promise<FaultScript> {
    const script = new FaultScript(
      point,
      () => {
        throw new InjectedFault(point);
      },
      nth,
    );
    await this.live(() => script);
    return script;
  }

  /** Everything that worked on the task is gone; what is on the disk is all there is. */
  async restart(): Promise<void> {
    this.deaths += 1;
    await this.#disk.kill();
    this.bench.store = this.#disk.open();
  }

  /**
   * Forgets everything after every commit that achieved something, and goes on from the disk alone, as often as it takes.
   * The owners end on purpose, so that nothing speaks against what they had in hand.
   */
  async replayAlways(): Promise<number> {
    Object.assign(this.bench.ports, { endings: () => ({ leftMs: this.bench.clock.now(), diedMs: null }) });
    for (let lives = 1; lives <= MOST_LIVES; lives += 1) {
      const before = progressOf(await this.rows());
      const hasDied = await this.live((life) => ({
        reach: async (point) => {
          if (point === 'after-commit' && progressOf(await this.rows()) !== before) await life.dieHere();
        },
      }));
      if (!hasDied) return lives;
    }
    throw new Error('it goes on for ever');
  }

  rows(id = TASK): Promise<TaskRows> {
    return rowsOf(this.store, id);
  }

  async outcome(id = TASK): Promise<Outcome> {
    const { task, steps, results } = await this.rows(id);
    const files = steps.filter(({ type }) => type === 'file');
    return {
      status: task.status,
      report: results.find(({ key }) => key === task.report)?.output ?? '',
      output: Object.fromEntries(
        [...this.bench.folder.written].map(([path, text]) => [path, withoutCosts(path, text)]),
      ),
      fates: Object.fromEntries(files.map((step) => [step.key, step.failure?.code ?? step.status])),
    };
  }

  /** Requests beyond one for each thing that was ever asked. */
  get askedAgain(): number {
    return [...this.asked.values()].reduce((sum, times) => sum + times - 1, 0);
  }

  async #lookAtSaved(): Promise<void> {
    const open = [...this.asked.keys()].filter((hash) => !this.#saved.has(hash));
    const stored = await this.store.results(open.map((hash) => resultKey(hash)));
    if (!stored.ok) return;
    stored.value.forEach((result, index) => {
      const hash = open[index];
      if (result && hash) this.#saved.add(hash);
    });
  }
}

export interface Undisturbed {
  readonly outcome: Outcome;
  readonly asked: ReadonlyMap<InputHash, number>;
  readonly askedAgain: number;
  readonly rows: TaskRows;
  readonly timesPassed: (point: FaultPoint) => number;
}

const known = new Map<JobCase, Promise<Undisturbed>>();

/** How a task goes that nobody disturbs. */
export function undisturbed(job: JobCase): Promise<Undisturbed> {
  const run = known.get(job) ?? runUndisturbed(job);
  known.set(job, run);
  return run;
}

async function runUndisturbed(job: JobCase): Promise<Undisturbed> {
  const world = await PropertyWorld.make(MEMORY, job);
  const script = new FaultScript('after-own', () => undefined);
  await world.live(() => script);
  return {
    outcome: await world.outcome(),
    asked: world.asked,
    askedAgain: world.askedAgain,
    rows: await world.rows(),
    timesPassed: (point) => script.timesPassed(point),
  };
}

/** The table of results without its columns of attempts, tokens and times. */
function withoutCosts(path: string, text: string): string {
  if (!path.endsWith('.csv')) return text;
  const kept = (line: string) => line.split(',').filter((_, column) => [0, 1, 3, 4].includes(column));
  return text
    .split('\r\n')
    .map((line) => kept(line).join(','))
    .join('\n');
}
