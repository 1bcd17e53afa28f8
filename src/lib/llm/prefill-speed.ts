/** Assumed until something is seen: a large model on a processor without a graphics card. */
const PRIOR_MS_PER_TOKEN = 20;
/** Of a shorter prompt the time tells of the connection and the queue, not of reading. */
const LEAST_TOKENS = 128;
/** A slower reading is believed sooner than a faster one, which may have been of a prompt the server still knew. */
const WEIGHT_SLOWER = 0.5;
const WEIGHT_FASTER = 0.2;
const LIMITS_MS_PER_TOKEN = { least: 0.05, most: 2_000 } as const;

/** How fast a server reads prompts: a running value of what was seen of it, for as long as its profile stays open. */
export class PrefillSpeed {
  #msPerToken = PRIOR_MS_PER_TOKEN;

  /** Time that a prompt of so many tokens should take to be read, in milliseconds. */
  expectedMs(tokens: number): number {
    return Math.ceil(tokens * this.#msPerToken);
  }

  saw(tokens: number, tookMs: number): void {
    if (tokens < LEAST_TOKENS || !(tookMs >= 0)) return;
    const { least, most } = LIMITS_MS_PER_TOKEN;
    const seen = Math.min(most, Math.max(least, tookMs / tokens));
    const weight = seen > this.#msPerToken ? WEIGHT_SLOWER : WEIGHT_FASTER;
    this.#msPerToken += (seen - this.#msPerToken) * weight;
  }
}
