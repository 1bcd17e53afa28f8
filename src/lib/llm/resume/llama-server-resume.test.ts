import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { llamaPaths, startLlamaServer, type LlamaServer } from '../../../../tests/support/llama-server';
import { modelAt, QUICK, requestFor } from '../../../../tests/support/model-fixtures';
import type { Begun } from '../../core/partial';
import type { StreamNaming } from '../../core/ports';

const ANSWER_TOKENS = 1_500;
const paths = llamaPaths();

if (paths === null) {
  const reason =
    'a real llama-server: set TALARIA_LLAMA_SERVER (the program) and TALARIA_GGUF (a model file) to run this';
  process.stderr.write(`SKIPPED: ${reason}\n`);
  test.skip(reason, () => undefined);
} else {
  describe('a real llama-server', { timeout: 120_000 }, () => examine(paths));
}

function examine(found: { binary: string; gguf: string }) {
  let server: LlamaServer;
  beforeAll(async () => {
    server = await startLlamaServer(found, await freePort());
  }, 60_000);
  afterAll(() => server.stop());

  const ways = { schema: null, tools: null, streaming: null, reattaching: 'query', continuing: 'fields' } as const;
  const model = () => modelAt(server, { model: server.model, capabilities: ways });
  const naming = (id: string, left: readonly string[] = []): StreamNaming => ({ id, left, isUnwanted: () => false });
  const request = requestFor('Tell a story about a cat', {
    maxTokens: ANSWER_TOKENS,
    material: { what: 'file', text: 'cat', language: 'en', ask: '' },
  });
  const settings = { clocks: QUICK };

  /** The whole answer, undisturbed. */
  const whole = async () => {
    const result = await model().complete(request, { signal: new AbortController().signal, ...settings });
    if (!result.ok) throw new Error(result.failure.message);
    return result.value;
  };

  /** What the server tells of the stream of that name. */
  const kept = async (id: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ conversation_ids: [id] });
    return (await fetch(`${server.url}/streams/lookup`, { method: 'POST', headers, body })).json();
  };

  /** What is left when the reader goes away after so many tokens. */
  const leftAfter = async (tokens: number, stream: StreamNaming) => {
    const stop = new AbortController();
    let left: Begun | null = null;
    const onBegun = (begun: Begun) => {
      if (!stop.signal.aborted) left = begun;
      if (begun.tokens >= tokens) stop.abort();
    };
    const cut = model().complete(request, { signal: stop.signal, stream, onBegun, ...settings });
    await expect(cut).rejects.toMatchObject({ name: 'AbortError' });
    return left as Begun | null;
  };

  it('goes on with an answer whose reader has gone, and not a token of it is made again', async () => {
    const undisturbed = await whole();
    const tokens = Math.floor(undisturbed.usage.completionTokens / 2);
    const begun = await leftAfter(tokens, naming('reattached'));
    const again = await model().complete(request, {
      signal: new AbortController().signal,
      begun,
      stream: naming('reattached', ['reattached']),
      ...settings,
    });
    expect(again).toMatchObject({
      ok: true,
      value: { text: undisturbed.text, finishReason: undisturbed.finishReason, continuation: { how: 'reattached' } },
    });
    if (!again.ok) return;
    expect(again.value.usage).toEqual(undisturbed.usage);
    expect(again.value.continuation?.tokens).toBeGreaterThanOrEqual(tokens);
  });

  it('takes up the answer of a try of which no word was heard, and makes no other', async () => {
    const undisturbed = await whole();
    const stop = new AbortController();
    const unheard = model().complete(request, { signal: stop.signal, stream: naming('unheard'), ...settings });
    const cut = expect(unheard).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(async () => expect(await kept('unheard')).toHaveLength(1), { timeout: 30_000 });
    stop.abort();
    await cut;
    const again = await model().complete(request, {
      signal: new AbortController().signal,
      stream: naming('after-unheard', ['unheard']),
      ...settings,
    });
    expect(again).toMatchObject({ ok: true, value: { text: undisturbed.text, usage: undisturbed.usage } });
    expect(await kept('after-unheard')).toEqual([]);
  });

  it('continues an answer after it was killed, and makes only the rest of it', async () => {
    const undisturbed = await whole();
    const tokens = Math.floor(undisturbed.usage.completionTokens * 0.8);
    const begun = await leftAfter(tokens, naming('continued'));
    await server.restart();
    const again = await model().complete(request, {
      signal: new AbortController().signal,
      begun,
      stream: naming('continued', ['continued']),
      ...settings,
    });
    expect(again).toMatchObject({ ok: true, value: { continuation: { how: 'continued' } } });
    if (!again.ok || begun === null) return;
    expect(again.value.text.startsWith(begun.content.trim())).toBe(true);
    const kept = again.value.continuation?.tokens ?? 0;
    expect(again.value.usage.completionTokens - kept).toBeLessThanOrEqual(0.25 * ANSWER_TOKENS);
    expect(kept).toBeGreaterThanOrEqual(tokens);
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
