import type { StepKey, TaskId } from '../core/ids';
import { agent } from './agent.svelte';
import { fileOfStep, LiveTextBuffer, NO_TEXTS } from './live-text-buffer';

const SHOW_EVERY_MS = 200;

/** The text streaming right now for files of one task; a long file's parts count as the file. For show, never kept. */
export function liveTexts(id: () => TaskId): { readonly texts: ReadonlyMap<StepKey, string> } {
  let texts = $state.raw(NO_TEXTS);

  $effect(() => {
    const wanted = id();
    const buffer = new LiveTextBuffer();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = agent.listen((taskId, key, text) => {
      const file = fileOfStep(key);
      if (taskId !== wanted || file === null) return;
      buffer.put(file, text);
      timer ??= setTimeout(() => {
        timer = undefined;
        texts = buffer.snapshot();
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
