import { fileStepKey, type StepKey, type TaskId } from '../core/ids';
import { MAX_CONCURRENCY } from '../core/task';
import { agent } from './agent.svelte';

const SHOW_EVERY_MS = 200;

/** The text streaming right now for files of one task; a long file's parts count as the file. For show, never kept. */
export function liveTexts(id: () => TaskId): { readonly texts: ReadonlyMap<StepKey, string> } {
  let texts = $state.raw<ReadonlyMap<StepKey, string>>(new Map());

  $effect(() => {
    const wanted = id();
    const newest = new Map<StepKey, string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = agent.listen((taskId, key, text) => {
      const file = fileOfStep(key);
      if (taskId !== wanted || file === null) return;
      newest.delete(file);
      newest.set(file, text);
      const oldest = newest.size > MAX_CONCURRENCY ? newest.keys().next().value : undefined;
      if (oldest !== undefined) newest.delete(oldest);
      timer ??= setTimeout(() => {
        timer = undefined;
        texts = new Map(newest);
      }, SHOW_EVERY_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  });

  return {
    get texts() {
      return texts;
    },
  };
}

/** The file that a file or part step belongs to; null for steps over many files. */
export function fileOfStep(key: StepKey): StepKey | null {
  if (key.startsWith('file/')) return key;
  const part = /^part\/(.*)#\d+$/s.exec(key);
  return part?.[1] === undefined ? null : fileStepKey(part[1]);
}
