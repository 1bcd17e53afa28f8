import { benchQuery, report } from './bench-run';

/** Storage is measured where it is used: in a worker. */
report(
  () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./storage.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<{ value?: unknown; error?: string }>) =>
        data.error === undefined ? resolve(data.value) : reject(new Error(data.error));
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(benchQuery());
    }),
);
