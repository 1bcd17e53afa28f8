import { describe, expect, it } from 'vitest';
import type { EndpointRow } from '../core/endpoint';
import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../core/endpoint-settings';
import { endpointId } from '../core/ids';
import type { EndpointLearned } from '../core/learned';
import { ok } from '../core/result';
import { FakeClock, settle } from '../testing/fake-clock';
import { sampleEndpoint } from '../testing/sample-rows';
import { EndpointLines, type OpenedLine, type TakenChannel, type TakenMessage } from './endpoint-lines';
import { NOTHING_FOUND } from '../testing/sample-capabilities';

const ID = endpointId('home');
const never = new AbortController().signal;

const profile = (settings: Partial<EndpointSettings> = {}, more: Partial<EndpointRow> = {}): EndpointRow =>
  sampleEndpoint({ id: ID, key: 'none', settings: { ...DEFAULT_ENDPOINT_SETTINGS, ...settings }, ...more });

function world() {
  let kept: EndpointLearned | null = null;
  const profiles = {
    learned: () => Promise.resolve(ok(kept)),
    putLearned: (learned: EndpointLearned) => {
      kept = learned;
      return Promise.resolve(ok());
    },
  };
  const clock = new FakeClock();
  const asked: string[] = [];
  const fetch = (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input);
    asked.push(url.hostname);
    return Promise.resolve(
      url.pathname === '/v1/models' ? Response.json({ data: [{ id: 'hermes' }] }) : new Response('', { status: 404 }),
    );
  };
  const listeners: ((message: TakenMessage) => void)[] = [];
  const lines = () => {
    const own: (typeof listeners)[number][] = [];
    const taken: TakenChannel = {
      send: (message) => listeners.forEach((hear) => !own.includes(hear) && hear(message)),
      onMessage: (hear) => {
        own.push(hear);
        listeners.push(hear);
      },
    };
    return new EndpointLines({ profiles, clock, fetch, taken });
  };
  return { clock, lines, asked };
}

async function sent({ line }: OpenedLine, count: number, tokens = 1) {
  const urls: string[] = [];
  const waits: number[] = [];
  for (let each = 0; each < count; each += 1) {
    void line.enter(tokens, never, (delayMs) => waits.push(delayMs)).then(({ baseUrl }) => urls.push(baseUrl));
  }
  for (let turn = 0; turn < 12; turn += 1) await settle();
  return { urls, waits };
}

describe('the line to an endpoint', () => {
  it('is one for all who ask, and stays while nothing it is made of has changed', async () => {
    const row = profile();
    const lines = world().lines();
    const [first, second] = await Promise.all([lines.of(row), lines.of({ ...row, name: 'Other', updatedMs: 99 })]);
    expect(second).toBe(first);
    expect(await lines.of(profile({ concurrency: 2 }))).not.toBe(first);
  });

  it('keeps one connection of six free where there is no other address', async () => {
    const row = profile({ concurrency: 64 }, { baseUrl: 'http://192.168.1.5:8000/v1' });
    const { lines, asked } = world();
    expect((await sent(await lines().of(row), 12)).urls).toHaveLength(5);
    expect(asked).toEqual([]);
  });

  it('takes the streams of one connection where the browser was seen to have them', async () => {
    const baseUrl = 'https://models.example/v1';
    const capabilities = { ...NOTHING_FOUND, streamsPerConnection: 100 };
    const row = profile({ concurrency: 64 }, { baseUrl, capabilities });
    expect((await sent(await world().lines().of(row), 70)).urls).toHaveLength(64);
  });

  it('spreads over names of this machine that are shown to be the same server, when there are more requests than connections', async () => {
    const row = profile({ concurrency: 16 });
    const { lines } = world();
    const { urls } = await sent(await lines().of(row), 20);
    expect(urls).toHaveLength(16);
    expect(new Set(urls).size).toBe(4);
  });

  it.each([
    ['few requests', profile({ concurrency: 5 })],
    ['a key, which goes to the typed address only', profile({ concurrency: 32 }, { key: 'stored' })],
    ['headers of the person, which may hold one', profile({ concurrency: 32, headers: { 'X-Key': 'secret' } })],
  ])('asks no other name for %s', async (_, row) => {
    const { lines, asked } = world();
    expect((await sent(await lines().of(row), 32)).urls).toHaveLength(5);
    expect(asked).toEqual([]);
  });

  it('takes the addresses that the person gave without a proof, also with a key', async () => {
    const moreUrls = ['https://second.example/v1'];
    const row = profile({ concurrency: 32, moreUrls }, { key: 'stored' });
    const { lines, asked } = world();
    const { urls } = await sent(await lines().of(row), 32);
    expect([urls.length, new Set(urls).size, asked]).toEqual([10, 2, []]);
  });

  it('begins with as many as a server that tells of them has slots, and with no more than a person set', async () => {
    const slots = profile({}, { capabilities: { ...NOTHING_FOUND, slots: 2 } });
    expect((await sent(await world().lines().of(slots), 12)).urls).toHaveLength(2);
    const set = profile({ concurrency: 3 }, { capabilities: { ...NOTHING_FOUND, slots: 16 } });
    expect((await sent(await world().lines().of(set), 12)).urls).toHaveLength(3);
  });
});

describe('the limits of a minute', () => {
  const row = profile({ requestsPerMinute: 20, concurrency: 5 });

  it('hold over a restart: it does not begin the minute anew', async () => {
    const { lines } = world();
    expect((await sent(await lines().of(row), 4)).urls).toHaveLength(2);
    const { urls, waits } = await sent(await lines().of(row), 4);
    expect([urls, waits[0]]).toEqual([[], 3_000]);
  });

  it('hold for the workers of all tabs together', async () => {
    const { lines } = world();
    const rows = [row, row, { ...row, id: endpointId('other') }];
    const tabs = await Promise.all(rows.map((each) => lines().of(each)));
    const counts: number[] = [];
    for (const [index, tab] of tabs.entries()) counts.push((await sent(tab, index === 0 ? 1 : 4)).urls.length);
    expect(counts).toEqual([1, 1, 2]);
  });

  it('are told of what came back, too', async () => {
    const tokens = profile({ tokensPerMinute: 1_000, concurrency: 5 });
    const { lines } = world();
    const [here, there] = await Promise.all([lines().of(tokens), lines().of(tokens)]);
    const turn = await here.line.enter(100, never);
    expect((await sent(there, 1, 50)).urls).toEqual([]);
    turn.end({ how: 'answered', latencyMs: 1, countedTokens: 20 });
    await settle();
    expect((await sent(there, 1, 20)).waits).toEqual([]);
  });

  it('hold over a change of the profile', async () => {
    const lines = world().lines();
    expect((await sent(await lines.of(row), 4)).urls).toHaveLength(2);
    expect((await sent(await lines.of(profile({ requestsPerMinute: 20, concurrency: 4 })), 4)).urls).toEqual([]);
  });

  it('are those of another server at another address', async () => {
    const lines = world().lines();
    await sent(await lines.of(row), 4);
    const moved = { ...row, baseUrl: 'http://192.168.1.5:8000/v1' };
    expect((await sent(await lines.of(moved), 4)).urls).toHaveLength(2);
  });

  it('let a request go as soon as there is room, and a stop end the wait', async () => {
    const { lines, clock } = world();
    const opened = await lines().of(row);
    const { urls } = await sent(opened, 3);
    const stop = new AbortController();
    const stopped = opened.line.enter(1, stop.signal);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    await clock.advance(3_000);
    expect(urls).toHaveLength(3);
  });
});
