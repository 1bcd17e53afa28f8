import { fillTask, type FillOrder } from './resume/filled-task';

globalThis.onmessage = ({ data }: MessageEvent<FillOrder>) => {
  fillTask(data).then(
    (value) => postMessage({ value }),
    (error: unknown) => postMessage({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
};
