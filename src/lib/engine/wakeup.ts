/** A latch between one waiter and many notifiers: a notification that comes while nobody waits is not lost. */
export class Wakeup {
  #notified = false;
  #wake: (() => void) | null = null;

  notify(): void {
    if (this.#wake) this.#wake();
    else this.#notified = true;
  }

  /** What was told before now concerns something else. */
  forget(): void {
    this.#notified = false;
  }

  /** Resolves at the next notification, at once when one came since the last wait, and when the signal fires. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.#notified) {
      this.#notified = false;
      return;
    }
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const leave = () => {
        this.#wake = null;
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#wake = leave;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
