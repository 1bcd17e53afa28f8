import { makeFiles, onlyTask, settledFiles, startAgent, startTask, taskRow, unwrap } from './bench-agent';
import { benchQuery, mark, report, until } from './bench-run';
import { workerHeapMb } from './worker-heap';

const { endpoint, files, stage } = benchQuery();
const HELD = 20;

const startHere = () =>
  startAgent(() => new Worker(new URL('./counted-agent.worker.ts', import.meta.url), { type: 'module' }));

const channel = new BroadcastChannel('bench-writes');

function bytesWritten(): Promise<number> {
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'number') resolve(data);
    };
    channel.postMessage('ask');
  });
}

interface Sample {
  readonly files: number;
  readonly bytes: number;
}

/** Runs until `files` are done and the server holds the rest; then pauses. */
async function fill(): Promise<unknown> {
  const folder = await makeFiles(files + HELD);
  const agent = await startHere();
  const id = await startTask(agent, folder, endpoint);
  const samples: Sample[] = [{ files: 0, bytes: 0 }];
  const heaps: Promise<number>[] = [];
  const every = files / 10;
  while (samples.length <= 10) {
    const wanted = samples.length * every;
    await until(async () => (await settledFiles(id)) >= wanted);
    samples.push({ files: await settledFiles(id), bytes: await bytesWritten() });
    if (samples.length === 2 || samples.length === 11) heaps.push(workerHeapMb());
  }
  const [heapEarlyMb, heapLateMb] = await Promise.all(heaps);
  unwrap(await agent.pauseTask(id));
  await until(async () => (await taskRow(id)).status === 'paused');
  return { samples, heapEarlyMb, heapLateMb };
}

/** A page opened anew on what `fill` left behind: from the click to the first request, by the server's clock. */
async function resume(): Promise<unknown> {
  const agent = await startHere();
  const { id } = await onlyTask();
  await mark('click');
  const pressed = performance.now();
  unwrap(await agent.continueTask(id));
  return { answeredMs: performance.now() - pressed };
}

report(stage === 'fill' ? fill : resume);
