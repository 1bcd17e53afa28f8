import type { IgnoreReason } from '../core/folder';
import { endpointId, taskId } from '../core/ids';
import { NO_FAULTS } from '../core/fault-points';
import type { CheckpointStore, Extractor } from '../core/ports';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { NO_COUNTS } from '../core/counts';
import { NO_PACE, PLAN_DUE, type BatchOptions, type TaskRow } from '../core/task';
import { NO_USAGE } from '../core/usage';
import type { EnginePorts } from '../engine/engine-ports';
import { Breakers } from '../engine/breaker';
import { TaskRun } from '../engine/task-run';
import { batchJob } from '../jobs/batch';
import { MemoryCheckpointStore } from '../storage/checkpoint-store-memory';
import { MemoryProfileStore } from '../storage/profile-store-memory';
import { FakeClock } from './fake-clock';
import { FAKE_FOLDER_ROW, FakeFolder, openerOf } from './fake-folder';
import { nextTurns } from './next-turns';
import { plainDigest } from './plain-digest';
import { ScriptedModel } from './scripted-model';

export const OPTIONS: BatchOptions = {
  v: 1,
  template: 'summary',
  instructions: '',
  language: 'en',
  include: [],
  exclude: [],
  concurrency: 4,
};

export const TASK = taskId('0123456789ab');

/** Everything the engine needs, in memory, with the real job and the real store contract. */
export class EngineBench {
  readonly clock = new FakeClock();
  readonly folder = new FakeFolder();
  readonly model = new ScriptedModel();
  readonly profiles = new MemoryProfileStore();
  readonly ports: EnginePorts;
  #store: CheckpointStore;
  /** Whether the store has yet to answer: one in another thread is no faster than it is, whatever the clock says. */
  isStoreBusy: () => boolean = () => false;
  verdict: (path: string) => IgnoreReason | null = () => null;

  constructor(overrides: Partial<EnginePorts> = {}) {
    this.#store = overrides.store ?? new MemoryCheckpointStore();
    this.ports = {
      store: this.#store,
      folders: openerOf(this.folder),
      models: { open: () => Promise.resolve(ok(this.model)) },
      extractor: plainExtractor,
      digest: plainDigest,
      clock: this.clock,
      random: () => 0.5,
      liveText: () => undefined,
      endings: () => ({ leftMs: null, diedMs: null }),
      breakers: new Breakers(this.profiles, this.clock),
      faults: NO_FAULTS,
      doers: new Map(),
      job: () => batchJob,
      fileFilter: () => (path) => this.verdict(path),
      ...overrides,
    };
  }

  get store(): CheckpointStore {
    return this.#store;
  }

  /** Another store, for whoever owns the task from now on. */
  set store(store: CheckpointStore) {
    this.#store = store;
    Object.assign(this.ports, { store });
  }

  async createTask(options: Partial<BatchOptions> = {}): Promise<void> {
    const made = await this.store.createTask({ ...newTask(), options: { ...OPTIONS, ...options } }, FAKE_FOLDER_ROW);
    if (!made.ok) throw new Error(made.failure.code);
  }

  /** Everything that can run has run, the store's answers included, or `isOver` says that nobody waits for them. */
  async settle(isOver: () => boolean = () => false): Promise<void> {
    do await nextTurns();
    while (this.isStoreBusy() && !isOver());
  }

  /** Lets everything run, then moves on to the next sleep's end. False when nobody sleeps. */
  async letTimePass(): Promise<boolean> {
    await this.settle();
    return this.clock.step();
  }

  newRun(): TaskRun {
    return new TaskRun(this.ports, TASK);
  }

  /** Runs to the end, letting time pass. */
  run(options: { retryFailed?: boolean } = {}) {
    return this.clock.run(this.newRun().run({ retryFailed: options.retryFailed ?? false }));
  }

  async task(): Promise<TaskRow> {
    const read = await this.store.task(TASK);
    if (!read.ok || !read.value) throw new Error('no task');
    return read.value;
  }

  async files() {
    const read = await this.store.stepsOfType(TASK, 'file', null, 10_000);
    if (!read.ok) throw new Error(read.failure.code);
    return read.value;
  }

  async report(): Promise<string> {
    const { report } = await this.task();
    const read = report ? await this.store.result(report) : null;
    if (!read?.ok || !read.value) throw new Error('no report');
    return read.value.output;
  }
}

export function newTask(): TaskRow {
  return {
    v: 1,
    id: TASK,
    name: 'Notes',
    kind: 'batch',
    options: OPTIONS,
    folderId: FAKE_FOLDER_ROW.id,
    folderName: FAKE_FOLDER_ROW.name,
    endpointId: endpointId('endpoint-1'),
    status: 'pending',
    reason: null,
    failure: null,
    hold: null,
    counts: NO_COUNTS,
    usage: NO_USAGE,
    requests: 0,
    reusedRequests: 0,
    pace: NO_PACE,
    plan: PLAN_DUE,
    recovery: null,
    contextTokens: null,
    stage: 'files',
    report: null,
    output: 'none',
    outputPath: null,
    epoch: 0,
    seq: 0,
    createdMs: 0,
    updatedMs: 0,
    startedMs: null,
    finishedMs: null,
    activeMs: 0,
  };
}

/** Texts as they are: extraction has tests of its own. Split by length at four characters a token. */
const plainExtractor: Extractor = {
  refusal: (path) => (path.endsWith('.pdf') ? failure('file_kind_unsupported') : null),
  extract: (_path, bytes) => {
    const text = new TextDecoder().decode(bytes);
    if (text.trim() === '') return Promise.resolve(fail(failure('file_empty')));
    return Promise.resolve(ok({ text, format: 'txt', encoding: 'utf-8', guessedEncoding: false }));
  },
  split: (text, maxTokens) => {
    const size = maxTokens * 4;
    const count = Math.max(1, Math.ceil(text.length / size));
    return Array.from({ length: count }, (_, index) => {
      const part = text.slice(index * size, (index + 1) * size);
      return { index, text: part, tokens: Math.ceil(part.length / 4) };
    });
  },
  estimateTokens: (text) => Math.ceil(text.length / 4),
};
