/** A worker that fails on request, for the tests of its host. */
import { expose } from 'comlink';
import type { Endings } from '../core/endings';
import { stopWorker } from './worker-stop';

const heard: string[] = [];
let endings: Endings | null = null;

const api = {
  ping: (told: Endings) => {
    endings = told;
  },
  told: () => endings,
  add: (a: number, b: number) => a + b,
  tell: (word: string) => void heard.push(word),
  heard: () => heard,
  /** Never answers. */
  wait: () => new Promise<never>(() => undefined),
  report: async (steps: number, onStep: (step: number) => void) => {
    for (let step = 1; step <= steps; step += 1) onStep(step);
    return Promise.resolve('reported');
  },
  fail: (): never => {
    const error = new Error('the reason');
    error.name = 'SpecialError';
    throw error;
  },
  /** Blocks the thread: no answer to anything until it is over. */
  block: (blockMs: number) => {
    const until = performance.now() + blockMs;
    while (performance.now() < until);
  },
  stop: () => stopWorker('on purpose'),
  throwAtTopLevel: () => {
    setTimeout(() => {
      throw new Error('thrown at top level');
    });
  },
};

export type TestingApi = {
  [Name in keyof typeof api]: (
    ...args: Parameters<(typeof api)[Name]>
  ) => Promise<Awaited<ReturnType<(typeof api)[Name]>>>;
} & { missing(): Promise<void> };

expose(api);
