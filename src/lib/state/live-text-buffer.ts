import { fileStepKey, type StepKey } from '../core/ids';
import { MAX_CONCURRENCY } from '../core/task';

/** The newest text of each file being written. As many as may run at once are kept, the longest silent go first. */
export class LiveTextBuffer {
  readonly #texts = new Map<StepKey, string>();

  put(file: StepKey, text: string): void {
    this.#texts.delete(file);
    this.#texts.set(file, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_CONCURRENCY && oldest !== undefined) this.#texts.delete(oldest);
  }

  snapshot(): ReadonlyMap<StepKey, string> {
    return new Map(this.#texts);
  }
}

export const NO_TEXTS: ReadonlyMap<StepKey, string> = new Map();

/** The file that a file or part step belongs to; null for steps over many files. */
export function fileOfStep(key: StepKey): StepKey | null {
  if (key.startsWith('file/')) return key;
  const part = /^part\/(.*)#\d+$/s.exec(key);
  return part?.[1] === undefined ? null : fileStepKey(part[1]);
}
