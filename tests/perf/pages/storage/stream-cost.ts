import { inputHash, fileStepKey } from '../../../../src/lib/core/ids';
import { createExtractor } from '../../../../src/lib/extract/extractor';
import { PartialKeeper } from '../../../../src/lib/engine/partials/partial-keeper';
import { clock, journaledStore } from './bench-store';

/** Forty tokens a second, as a piece of text each. */
const PIECE_EVERY_MS = 25;
const PIECE = ' word';
/** What each answer has said by the time that it is looked at: some two thousand tokens. */
const SAID = PIECE.repeat(2_000);

class TimedKeeper extends PartialKeeper {
  flushes = 0;
  flushMs = 0;

  override async flush(): Promise<void> {
    const began = performance.now();
    await super.flush();
    this.flushMs += performance.now() - began;
    this.flushes += 1;
  }
}

/** Answers that stream in at once, by how many they are: the share of that time in which they are being written down. */
export async function measureStreams(seconds: number): Promise<unknown> {
  const { store, task } = await journaledStore('streams');
  const extractor = createExtractor();
  const shares: Record<string, unknown> = {};
  for (const width of [1, 6, 32]) {
    const over = new AbortController();
    const keeper = new TimedKeeper({
      store,
      clock,
      estimateTokens: (text) => extractor.estimateTokens(text),
      row: () => task,
      signal: over.signal,
    });
    const began = performance.now();
    for (let text = SAID; performance.now() - began < seconds * 1_000; text += PIECE) {
      for (let stream = 0; stream < width; stream += 1)
        keeper.keep(inputHash(`stream-${width}-${stream}`), fileStepKey(`${stream}.txt`), text);
      await clock.sleep(PIECE_EVERY_MS);
    }
    const lasted = performance.now() - began;
    shares[width] = { share: keeper.flushMs / lasted, flushes: keeper.flushes };
    over.abort();
  }
  return shares;
}
