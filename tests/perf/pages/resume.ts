import { wrap, type Remote } from 'comlink';
import type { AgentApi } from '../../../src/lib/bridge/agent-api';
import { onlyTask } from './bench-agent';
import { benchQuery, report } from './bench-run';
import { FREEZE, MOMENTS, type Moment } from './resume/moments';
import { workerHeapMb } from './worker-heap';

const { endpoint, files, stage } = benchQuery();

const nowMs = () => performance.timeOrigin + performance.now();
const moments: Moment[] = [];
const waiting = new Set<() => void>();
const channel = new BroadcastChannel(MOMENTS);
channel.onmessage = ({ data }: MessageEvent<Moment>) => {
  moments.push(data);
  for (const look of waiting) look();
};

/** The first time that a worker did this, once it has. */
function moment(owner: string, what: Moment['what']): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const found = moments.find((each) => each.owner === owner && each.what === what);
      if (!found) return;
      waiting.delete(look);
      resolve(found.atMs);
    };
    waiting.add(look);
    look();
  });
}

interface Owner {
  readonly worker: Worker;
  readonly api: Remote<AgentApi>;
}

/** The app's worker, without the page's watch over it: some of these are meant to stand still. */
function spawn(owner: string): Owner {
  const worker = new Worker(new URL('./timed-agent.worker.ts', import.meta.url), { type: 'module', name: owner });
  return { worker, api: wrap<AgentApi>(worker) };
}

async function begun(owner: string): Promise<Owner> {
  const begunOwner = spawn(owner);
  await begunOwner.api.ping({ leftMs: null, diedMs: null });
  return begunOwner;
}

function fill(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./resume.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<{ value?: unknown; error?: string }>) =>
      data.error === undefined ? resolve(data.value) : reject(new Error(data.error));
    worker.postMessage({ endpoint, files });
  });
}

/** The person opens the app and says "continue". */
async function proceed(): Promise<unknown> {
  const { id } = await onlyTask();
  const { api } = await begun('first');
  await api.watch();
  const pressed = nowMs();
  await api.continueTask(id);
  return { waitedMs: (await moment('first', 'requested')) - pressed };
}

/** The browser was killed while the task ran. Then tabs that stand in line: the one before them is closed, or stands still. */
async function takeOver(): Promise<unknown> {
  const first = await begun('first');
  await first.api.watch();
  const requested = await moment('first', 'requested');
  const sinceOpenMs = requested - (await moment('first', 'opened'));
  const sinceBornMs = requested - (await moment('first', 'born'));
  const heapMb = await workerHeapMb();

  const second = await begun('second');
  await second.api.watch();
  const closed = nowMs();
  first.worker.terminate();
  const closedMs = (await moment('second', 'requested')) - closed;

  const third = await begun('third');
  await third.api.watch();
  const frozen = nowMs();
  new BroadcastChannel(FREEZE).postMessage('second');
  const frozenMs = (await moment('third', 'requested')) - frozen;
  return { sinceOpenMs, sinceBornMs, heapMb, closedMs, frozenMs };
}

const STAGES: Readonly<Record<string, () => Promise<unknown>>> = { fill, proceed, takeOver };
report(() => STAGES[stage]?.() ?? Promise.reject(new Error(`there is no stage ${stage}`)));
