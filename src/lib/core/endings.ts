/** What is known of how workers before this one ended; Unix milliseconds, null when nothing is. */
export interface Endings {
  /** When a page of the app was last closed or left in good order. */
  readonly leftMs: number | null;
  /** When this page last found a worker of its own dead. */
  readonly diedMs: number | null;
  /** When a worker of this page last ended because the person pulled its plug; absent when none did. */
  readonly unpluggedMs?: number;
}
