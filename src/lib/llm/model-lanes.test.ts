import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askOnce, modelAt, realClock } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { ModelServer } from '../../../tests/support/model-server-types';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { openEndpointLine } from './throughput/endpoint-line';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const never = new AbortController().signal;

async function over(moreUrls: readonly string[]) {
  const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: 8, moreUrls };
  const { line } = openEndpointLine(
    { baseUrl: server.url, isSecret: true, settings, capabilities: null },
    { clock: realClock, levels: null },
  );
  // The typed address is full: whoever comes next takes another.
  const turns = await Promise.all([1, 2, 3, 4, 5].map(() => line.enter(1, never)));
  return { model: modelAt(server, { line }), turns };
}

describe('a request on another address of the server', () => {
  it('goes there', async () => {
    const second = await startModelServer();
    try {
      const { model } = await over([second.url]);
      second.script(() => ({ type: 'stream', chunks: ['Hello.'] }));
      expect((await askOnce(model, 'q')).result).toMatchObject({ ok: true, value: { text: 'Hello.' } });
      expect([second.requests.length, server.requests.length]).toEqual([1, 0]);
    } finally {
      await second.stop();
    }
  });

  it('goes to the typed one instead when nobody answers there, which is no failure of the endpoint', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const { model, turns } = await over([gone.url]);
    server.script(() => ({ type: 'stream', chunks: ['Hello.'] }));
    const asking = askOnce(model, 'q');
    turns[0]?.end({ how: 'other' });
    expect((await asking).result).toMatchObject({ ok: true, value: { text: 'Hello.' } });
    expect(server.requests).toHaveLength(1);
  });
});
