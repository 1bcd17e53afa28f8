import type { StepKey, TaskId } from '../lib/core/ids';
import type { LiveText } from '../lib/core/ports';

const EVERY_MS = 120;

/** Passes the newest text of each step on, at most some eight times a second; what nobody listens to costs nothing. */
export class LiveTexts {
  readonly #newest = new Map<StepKey, { id: TaskId; text: string }>();
  #listener: LiveText | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly tell: LiveText = (id, key, text) => {
    if (!this.#listener) return;
    this.#newest.set(key, { id, text });
    this.#timer ??= setTimeout(() => this.#pass(), EVERY_MS);
  };

  listen(listener: LiveText): void {
    this.#listener = listener;
  }

  #pass(): void {
    this.#timer = null;
    for (const [key, { id, text }] of this.#newest) this.#listener?.(id, key, text);
    this.#newest.clear();
  }
}
