import type { Locks } from '../core/ports';

/** The one holder of a name, and who waits for it, in order. */
interface Line {
  holder: AbortController | null;
  readonly waiting: (() => void)[];
}

/** For browsers without Web Locks: one holder per name within this worker. A second tab is not kept out. */
export function singleTabLocks(): Locks {
  const lines = new Map<string, Line>();
  const lineOf = (name: string): Line => {
    const line = lines.get(name) ?? { holder: null, waiting: [] };
    lines.set(name, line);
    return line;
  };
  return {
    hold: async (name, signal, work, { steal } = { steal: false }) => {
      signal.throwIfAborted();
      const line = lineOf(name);
      const lost = new AbortController();
      if (steal) line.holder?.abort();
      if (steal || line.holder === null) line.holder = lost;
      else await turn(line, lost, signal);
      try {
        return await work(lost.signal);
      } finally {
        if (line.holder === lost) {
          line.holder = null;
          line.waiting.shift()?.();
          if (line.holder === null) lines.delete(name);
        }
      }
    },
  };
}

function turn(line: Line, lost: AbortController, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener('abort', leave);
      line.holder = lost;
      resolve();
    };
    const leave = () => {
      line.waiting.splice(line.waiting.indexOf(enter), 1);
      reject(new DOMException('waiting for the lock was aborted', 'AbortError'));
    };
    signal.addEventListener('abort', leave, { once: true });
    line.waiting.push(enter);
  });
}
