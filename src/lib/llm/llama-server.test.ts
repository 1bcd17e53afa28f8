import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { modelAt, networkThat, realClock, requestFor } from '../../../tests/support/model-fixtures';
import { testEndpoint } from './doctor';
import { listModels } from './list-models';

const { TALARIA_LLAMA_SERVER: BINARY, TALARIA_GGUF: GGUF } = process.env;
const CONTEXT_TOKENS = 1024;
const KEY = 'sk-TEST-123456';

if (BINARY === undefined || GGUF === undefined) {
  const reason =
    'a real llama-server: set TALARIA_LLAMA_SERVER (the program) and TALARIA_GGUF (a model file) to run this';
  process.stderr.write(`SKIPPED: ${reason}\n`);
  test.skip(reason, () => undefined);
} else {
  describe('a real llama-server', { timeout: 60_000 }, () => examine(BINARY, GGUF));
}

function examine(binary: string, gguf: string) {
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/v1`;
    const limits = ['-c', String(CONTEXT_TOKENS * 2), '-np', '2'];
    child = spawn(binary, ['-m', gguf, '--host', '127.0.0.1', '--port', String(port), '--api-key', KEY, ...limits], {
      stdio: 'ignore',
    });
    await vi.waitFor(async () => expect(await model().probe(never())).toEqual({ ok: true, value: undefined }), {
      timeout: 30_000,
    });
  }, 40_000);

  afterAll(() => {
    child.kill();
  });

  const never = () => new AbortController().signal;
  const model = () => modelAt({ url }, { key: KEY });

  const ask = (
    content: string,
    maxTokens: number,
    options: { signal?: AbortSignal; onText?: (text: string) => void } = {},
  ) => model().complete(requestFor(content, { maxTokens }), { signal: never(), ...options });

  it('streams an answer with its own count of tokens', async () => {
    const onText = vi.fn<(text: string) => void>();
    const result = await ask('Once upon a time', 24, { onText });
    expect(result).toMatchObject({ ok: true, value: { usage: { estimated: false } } });
    if (!result.ok) return;
    expect(result.value.usage.completionTokens).toBeGreaterThan(1);
    expect(onText.mock.lastCall?.[0].trim()).toBe(result.value.text);
  });

  it('CTX-01: tells how far a prompt is over the limit', async () => {
    const result = await ask('Once upon a time there was a little girl. '.repeat(200), 24);
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'context_overflow', details: { limitTokens: CONTEXT_TOKENS, status: 400 } },
    });
    expect(result.ok ? 0 : result.failure.details.usedTokens).toBeGreaterThan(CONTEXT_TOKENS);
  });

  it('SSE-12: says that an answer was cut', async () => {
    const limited = await ask('Once', 5);
    expect(limited).toMatchObject({ ok: true, value: { finishReason: 'length', usage: { completionTokens: 5 } } });
  });

  it('SSE-31: an abort frees the slot for the next request', async () => {
    const stop = new AbortController();
    const long = ask('Once', 900, { signal: stop.signal, onText: () => stop.abort() });
    await expect(long).rejects.toMatchObject({ name: 'AbortError' });
    expect((await ask('Once', 5)).ok).toBe(true);
  });

  it('a wrong key is a wrong key', async () => {
    const wrong = modelAt({ url }, { key: 'sk-WRONG-654321' });
    const result = await wrong.complete(requestFor('q'), { signal: never() });
    expect(result).toMatchObject({ ok: false, failure: { code: 'auth_failed' } });
  });

  it('lists its model with the context of a slot, and passes the doctor', async () => {
    const options = { baseUrl: url, key: KEY, clock: realClock, network: networkThat(true), signal: never() };
    const listed = await listModels(options);
    const [first] = listed.ok ? listed.value : [];
    expect(first?.contextTokens).toBe(CONTEXT_TOKENS);
    const model = first?.id ?? '';
    const report = await testEndpoint({ ...options, model, pageUrl: null, onProbe: () => undefined });
    expect(report).toMatchObject({ state: 'ready', failure: null });
    expect(report.firstTokenMs).toBeGreaterThan(0);
    expect(report.capabilities).toMatchObject({
      server: 'llama.cpp',
      contextTokens: CONTEXT_TOKENS,
      slots: 2,
      continuing: 'fields',
      reattaching: 'query',
      schema: 'json_schema',
      tools: 'hermes',
      counting: 'input_tokens',
      sampleTokens: expect.any(Number) as number,
    });
    expect(report.capabilities?.version).toMatch(/^b\d+$/);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
