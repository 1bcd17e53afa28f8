import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface LlamaServer {
  readonly url: string;
  /** The name it lists its model by. */
  readonly model: string;
  /** SIGKILL, and the same server again on the same port. */
  restart(): Promise<void>;
  /** Stands still in the middle of whatever it does, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Tokens that it has generated since it was started; those of an answer under way are not all among them. */
  generatedTokens(): Promise<number>;
  /** Tokens of the answer that its first slot is making. */
  tokensUnderWay(): Promise<number>;
  stop(): Promise<void>;
}

/** Where a real llama.cpp server and a model file are, or null: then tests that need them say so and skip. */
export function llamaPaths(): { binary: string; gguf: string } | null {
  const { TALARIA_LLAMA_SERVER: binary, TALARIA_GGUF: gguf } = process.env;
  return binary && gguf ? { binary, gguf } : null;
}

/**
 * Flags with which the same question gets the same answer at temperature 0, whatever was asked before it or beside it:
 * the cache of prompts else holds rounded numbers.
 */
export const EXACT: readonly string[] = ['-ctk', 'f32', '-ctv', 'f32', '-fa', 'off'];

/** Two slots of 4,096 tokens each, one thread: more of them wait for each other on a busy machine. */
export async function startLlamaServer(
  paths: { binary: string; gguf: string },
  port: number,
  flags: readonly string[] = [],
): Promise<LlamaServer> {
  const url = `http://127.0.0.1:${port}/v1`;
  const where = ['-m', paths.gguf, '--host', '127.0.0.1', '--port', String(port)];
  const args = [...where, '-c', '8192', '-np', '2', '-t', '1', '--metrics', ...flags];
  let child: ChildProcess;
  const start = async () => {
    child = spawn(paths.binary, args, { stdio: 'ignore' });
    return listedModel(url);
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const model = await start();
  return {
    url,
    model,
    stop,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    generatedTokens: async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^llamacpp:tokens_predicted_total (\d+)/m.exec(metrics)?.[1]);
    },
    tokensUnderWay: async () => {
      const slots = (await (await fetch(`http://127.0.0.1:${port}/slots`)).json()) as Slot[];
      return slots[0]?.is_processing ? (slots[0].next_token[0]?.n_decoded ?? 0) : 0;
    },
    restart: async () => {
      await stop();
      await start();
    },
  };
}

interface Slot {
  readonly is_processing: boolean;
  readonly next_token: readonly { readonly n_decoded: number }[];
}

async function listedModel(url: string): Promise<string> {
  for (;;) {
    const list = await fetch(`${url}/models`).catch(() => null);
    if (list?.ok) {
      const { data } = (await list.json()) as { data: { id: string }[] };
      return data[0]?.id ?? '';
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
