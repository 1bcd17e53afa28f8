import type { AgentApi } from '../bridge/agent-api';
import type { EffectAnswer, EffectQuestion } from '../core/effect';
import type { Failure } from '../core/failure';
import { failure } from '../core/failure';
import type { EffectKey, EndpointId } from '../core/ids';
import { fail, isAbort, ok, type Result } from '../core/result';
import { MAX_CONCURRENCY, type TaskRow } from '../core/task';
import { agent } from './agent.svelte';
import { continueTask } from './continue-task';
import { rows } from './page-rows';

type Action = 'pause' | 'continue' | 'cancel' | 'retry' | 'folder' | 'write' | 'concurrency' | 'endpoint' | 'answer';

/** What may be done to a task as it is now, and doing it. An action that is under way is not begun twice. */
export class TaskActions {
  #busy = $state.raw<readonly Action[]>([]);
  #failure = $state.raw<Failure | null>(null);
  #writingDenied = $state(false);
  /** The commits that asked what was answered, by effect. */
  readonly #answered = new Map<EffectKey, number>();

  constructor(private readonly task: () => TaskRow) {}

  /** Why the last action did not work. */
  get failure(): Failure | null {
    return this.#failure;
  }

  get writingDenied(): boolean {
    return this.#writingDenied;
  }

  isBusy(action: Action): boolean {
    return this.#busy.includes(action);
  }

  get canPause(): boolean {
    const { status } = this.task();
    return status === 'pending' || status === 'running';
  }

  get canContinue(): boolean {
    return !this.canPause && !this.needsFolder;
  }

  get canCancel(): boolean {
    const { status } = this.task();
    return status !== 'completed' && status !== 'cancelled';
  }

  get canRetry(): boolean {
    const { counts, status } = this.task();
    return counts.failed > 0 && status !== 'pending';
  }

  /** One click for the folder's permission is what is missing. */
  get needsFolder(): boolean {
    const { status, reason } = this.task();
    return status === 'paused' && reason === 'permission';
  }

  /** The folder is not where it was. */
  get lostFolder(): boolean {
    return this.needsFolder && this.task().failure?.code === 'folder_missing';
  }

  /** It never was given here. */
  get lacksFolder(): boolean {
    return this.needsFolder && this.task().failure?.code === 'folder_not_given';
  }

  pause = () => this.#ask('pause', (api) => api.pauseTask(this.task().id));
  cancel = () => this.#ask('cancel', (api) => api.cancelTask(this.task().id));
  retryFailed = () => this.#ask('retry', (api) => api.retryFailed(this.task().id));
  goOn = () => this.#run('continue', () => continueTask(this.task()));
  grantFolder = () => this.#run('folder', () => continueTask(this.task()));

  /** What the person says of effects that wait for them. */
  answer(questions: readonly EffectQuestion[], answer: EffectAnswer): Promise<void> {
    for (const { key, seq } of questions) this.#answered.set(key, seq);
    return this.#ask('answer', (api) => api.answerEffects(this.task().id, questions, answer));
  }

  /** The person answered about that effect on this page, and what they answered about has changed since. */
  isAskedAgain({ key, seq }: EffectQuestion): boolean {
    const answeredSeq = this.#answered.get(key);
    return answeredSeq !== undefined && seq > answeredSeq;
  }

  setConcurrency(wanted: number): Promise<void> {
    const concurrency = Math.max(1, Math.min(MAX_CONCURRENCY, Math.round(wanted)));
    return this.#ask('concurrency', (api) => api.setConcurrency(this.task().id, concurrency));
  }

  setEndpoint(endpoint: EndpointId): Promise<void> {
    return this.#ask('endpoint', (api) => api.setEndpoint(this.task().id, endpoint));
  }

  /** Call on a click. A picker that was closed again changes nothing. */
  pickFolderAgain = () => this.#run('folder', () => this.#pick('read'));

  async #pick(mode: 'read' | 'readwrite'): Promise<Result<void>> {
    const pick: unknown = Reflect.get(globalThis, 'showDirectoryPicker');
    if (typeof pick !== 'function') return fail(failure('folder_missing'));
    const handle = await Promise.resolve<FileSystemDirectoryHandle>(
      Reflect.apply(pick, globalThis, [{ id: 'talaria', mode }]),
    ).catch((error: unknown) => {
      if (isAbort(error)) return null;
      throw error;
    });
    if (handle === null) return ok();
    // The worker goes on with the task as soon as it has the folder.
    return agent.ask((api) => api.rebindFolder(this.task().id, handle));
  }

  /** Call on a click: asks for the right to write into the folder, or for the folder, then has the report written. */
  allowWriting = () =>
    this.#run('write', async () => {
      const { id, folderId } = this.task();
      const folder = await rows.folder(folderId);
      const handle: WritableHandle | null = folder.ok ? (folder.value?.handle ?? null) : null;
      if (folder.ok && folder.value?.kind === 'handle' && handle === null) return this.#pick('readwrite');
      const answer = await handle?.requestPermission?.({ mode: 'readwrite' }).catch(() => 'denied' as const);
      this.#writingDenied = answer !== undefined && answer !== 'granted';
      return this.#writingDenied ? ok() : agent.ask((api) => api.writeOutput(id));
    });

  #ask(action: Action, question: (api: AgentApi) => Promise<Result<void>>): Promise<void> {
    return this.#run(action, () => agent.ask(question));
  }

  async #run(action: Action, work: () => Promise<Result<void>>): Promise<void> {
    if (this.isBusy(action)) return;
    this.#busy = [...this.#busy, action];
    try {
      const result = await work();
      this.#failure = result.ok ? null : result.failure;
    } finally {
      this.#busy = this.#busy.filter((each) => each !== action);
    }
  }
}

interface WritableHandle {
  readonly kind: 'directory';
  requestPermission?(options: { mode: 'readwrite' }): Promise<'granted' | 'denied' | 'prompt'>;
}
