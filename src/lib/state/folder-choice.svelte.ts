import type { FolderSource, PreviewOptions, SnapshotFile } from '../bridge/agent-api';
import type { Failure } from '../core/failure';
import type { FolderPreview } from '../core/folder';
import { isAbort, ok, type Result } from '../core/result';
import { agent } from './agent.svelte';
import { chosenFiles } from './folder-choice-files';
import { listEntries, readDrop, type Dropped } from './folder-choice-drop';

/** What the browser is asked for when a folder is picked; null where it has no picker. */
type PickFolder = (options: { id: string; mode: 'read' }) => Promise<FileSystemDirectoryHandle>;

/** Why no folder was taken, for the person to put right. */
export type ChoiceProblem = 'plain_files' | 'nothing' | 'blocked' | 'empty';

export type ChoiceWork =
  | { readonly what: 'listing'; readonly found: number }
  | { readonly what: 'copying'; readonly copied: number; readonly total: number };

/** The folder of a task to be made: picked, dropped, copied in or the sample, and what a walk through it finds. */
export class FolderChoice {
  #source = $state.raw<FolderSource | null>(null);
  #name = $state('');
  #work = $state.raw<ChoiceWork | null>(null);
  #preview = $state.raw<FolderPreview | null>(null);
  #walking = $state(false);
  #stopped = $state(false);
  #others = $state(false);
  #problem = $state.raw<ChoiceProblem | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #take: AbortController | null = null;
  #look = 0;

  get source(): FolderSource | null {
    return this.#source;
  }

  /** Name of the folder; empty for the sample, which is named in the person's language. */
  get name(): string {
    return this.#name;
  }

  get work(): ChoiceWork | null {
    return this.#work;
  }

  get preview(): FolderPreview | null {
    return this.#preview;
  }

  get walking(): boolean {
    return this.#walking;
  }

  /** True when the person ended the walk or the copying before it was through. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** True when several folders were dropped and one was taken. */
  get others(): boolean {
    return this.#others;
  }

  get problem(): ChoiceProblem | null {
    return this.#problem;
  }

  get failure(): Failure | null {
    return this.#failure;
  }

  static get canPick(): boolean {
    return pickerOf(globalThis) !== null;
  }

  /** Call on a click. A picker that was closed again changes nothing. */
  async pick(): Promise<void> {
    const pick = pickerOf(globalThis);
    if (pick === null) return;
    try {
      const handle = await pick({ id: 'talaria', mode: 'read' });
      this.#settle({ kind: 'handle', handle }, handle.name);
    } catch (error) {
      if (!isAbort(error)) this.#problem = 'blocked';
    }
  }

  takeSample(): void {
    this.#settle({ kind: 'sample' }, '');
  }

  /** Call within the drop event. */
  async takeDrop(transfer: DataTransfer): Promise<void> {
    const dropped: Dropped = await readDrop(transfer);
    switch (dropped.kind) {
      case 'files':
        this.#problem = 'plain_files';
        return;
      case 'nothing':
        this.#problem = 'nothing';
        return;
      case 'handle':
        this.#settle({ kind: 'handle', handle: dropped.handle }, dropped.handle.name);
        break;
      case 'entry': {
        const { entry } = dropped;
        await this.#copy(entry.name, (signal) =>
          listEntries(entry, signal, (found) => (this.#work = { what: 'listing', found })),
        );
      }
    }
    this.#others = dropped.others;
  }

  async takeFiles(files: Iterable<File>, fallbackName: string): Promise<void> {
    const chosen = chosenFiles(files);
    await this.#copy(chosen.folderName || fallbackName, () => Promise.resolve(chosen.files));
  }

  /** Walks the folder again; an earlier walk ends, and whatever it still says is not heard. */
  async look(options: PreviewOptions): Promise<void> {
    const source = this.#source;
    if (source === null) return;
    const look = (this.#look += 1);
    const current = () => look === this.#look;
    const before = this.#walking;
    this.#walking = true;
    this.#stopped = false;
    this.#failure = null;
    if (before) await stopPreview();
    if (!current()) return;
    const seen = (preview: FolderPreview) => {
      if (current()) this.#preview = preview;
    };
    const result = await agent.ask((api) => api.previewFolder(source, options, seen));
    if (!current()) return;
    this.#walking = false;
    if (result.ok) this.#preview = result.value;
    else this.#failure = result.failure;
  }

  /** Ends what is going on. What was found of a walk stays; a copy that is not whole is not kept. */
  stop(): void {
    this.#stopped = true;
    if (this.#work !== null) {
      this.#take?.abort();
      this.#work = null;
      void stopSnapshot();
    }
    if (this.#walking) {
      this.#look += 1;
      this.#walking = false;
      void stopPreview();
    }
  }

  async #copy(name: string, list: (signal: AbortSignal) => Promise<readonly SnapshotFile[]>): Promise<void> {
    const signal = this.#begin();
    try {
      const files = await list(signal);
      if (signal.aborted) return;
      if (files.length === 0) {
        this.#problem = 'empty';
        return;
      }
      const total = files.length;
      const onCopied = (copied: number) => {
        if (!signal.aborted) this.#work = { what: 'copying', copied, total };
      };
      onCopied(0);
      const kept = await agent.ask((api) => api.keepSnapshot(name, files, onCopied));
      if (signal.aborted) return;
      if (kept.ok) this.#settle({ kind: 'snapshot', id: kept.value }, name);
      else this.#failure = kept.failure;
    } catch (error) {
      if (!isAbort(error)) throw error;
    } finally {
      if (!signal.aborted) this.#work = null;
    }
  }

  #begin(): AbortSignal {
    this.#forget();
    this.#take = new AbortController();
    this.#work = { what: 'listing', found: 0 };
    return this.#take.signal;
  }

  #settle(source: FolderSource, name: string): void {
    this.#forget();
    this.#source = source;
    this.#name = name;
  }

  #forget(): void {
    this.stop();
    this.#stopped = false;
    this.#source = null;
    this.#name = '';
    this.#preview = null;
    this.#others = false;
    this.#problem = null;
    this.#failure = null;
    this.#work = null;
  }
}

function stopPreview(): Promise<Result<void>> {
  return agent.ask(async (api) => {
    await api.stopPreview();
    return ok();
  });
}

function stopSnapshot(): Promise<Result<void>> {
  return agent.ask(async (api) => {
    await api.stopSnapshot();
    return ok();
  });
}

function pickerOf(scope: object): PickFolder | null {
  const picker: unknown = Reflect.get(scope, 'showDirectoryPicker');
  return typeof picker === 'function' ? (options) => Reflect.apply(picker, scope, [options]) : null;
}
