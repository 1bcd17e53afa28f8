import type { BenchQuery } from './bench-run';
import { measureCommits } from './storage/commit-cost';
import { measureGroups } from './storage/group-commit';
import { measureGrowth } from './storage/growth';
import { measureKinds } from './storage/side-by-side';
import { measureStreams } from './storage/stream-cost';

const STAGES: Readonly<Record<string, (steps: number) => Promise<unknown>>> = {
  commits: measureCommits,
  growth: measureGrowth,
  groups: measureGroups,
  kinds: measureKinds,
  streams: measureStreams,
};

globalThis.onmessage = ({ data }: MessageEvent<BenchQuery>) => {
  const stage = STAGES[data.stage];
  const measured = stage ? stage(data.files) : Promise.reject(new Error(`there is no stage ${data.stage}`));
  measured.then(
    (value) => postMessage({ value }),
    (error: unknown) => postMessage({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
};
