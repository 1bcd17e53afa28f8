/** Holds a lock for ever, and tells what becomes of it. `steal` takes it from whoever has it. */
import { availableLocks } from '../../src/lib/platform/locks-web';

self.addEventListener('message', ({ data }: MessageEvent<{ readonly name: string; readonly steal: boolean }>) => {
  const { name, steal } = data;
  const hold = async (lost: AbortSignal) => {
    self.postMessage('held');
    await new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve()));
    self.postMessage('lost');
  };
  void availableLocks()
    .hold(name, new AbortController().signal, hold, { steal })
    .then(() => self.postMessage('ended'));
});
