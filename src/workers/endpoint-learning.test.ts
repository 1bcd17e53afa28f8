import { describe, expect, it } from 'vitest';
import type { Capabilities } from '../lib/core/capabilities';
import type { EndpointRow } from '../lib/core/endpoint';
import { endpointId } from '../lib/core/ids';
import { valueOf } from '../lib/storage/checkpoint-store.conformance';
import { MemoryProfileStore } from '../lib/storage/profile-store-memory';
import { FakeClock } from '../lib/testing/fake-clock';
import { EndpointLearning } from './endpoint-learning';

const ID = endpointId('mine');
const BASE = 'http://127.0.0.1:8001/v1';
const ROW: EndpointRow = {
  v: 1,
  id: ID,
  name: 'Mine',
  baseUrl: BASE,
  model: 'hermes-3',
  key: 'none',
  contextTokens: null,
  createdMs: 0,
  updatedMs: 0,
  lastCheck: null,
};
const LIST = { data: [{ id: 'hermes-3', owned_by: 'vllm', max_model_len: 16_384 }] };

function learning(answer: (path: string) => Response | Promise<Response>) {
  const profiles = new MemoryProfileStore();
  const clock = new FakeClock();
  const asked: string[] = [];
  let learned = 0;
  const looking = new EndpointLearning({
    profiles,
    sessionKeys: { get: () => undefined },
    clock,
    network: { online: true, onChange: () => () => undefined },
    onLearned: () => (learned += 1),
    fetch: async (input, init) => {
      const { pathname } = new URL(new Request(input, init).url);
      asked.push(pathname);
      return answer(pathname);
    },
  });
  return { profiles, clock, asked, looking, learned: () => learned };
}

const vllm = (path: string) => {
  if (path === '/v1/models') return Response.json(LIST);
  return path === '/version' ? Response.json({ version: '0.11.2' }) : Response.json({}, { status: 404 });
};
const found = async (profiles: MemoryProfileStore) => valueOf(await profiles.endpoint(ID));

describe('a profile that nobody tested', () => {
  it('is told what its server tells of itself, and its model is asked nothing', async () => {
    const { profiles, asked, looking, learned } = learning(vllm);
    await profiles.putEndpoint(ROW);
    await looking.learn(ROW, 1_000);
    expect(await found(profiles)).toMatchObject({
      contextTokens: 16_384,
      capabilities: { server: 'vllm', continuing: 'fields' },
      lastCheck: null,
    });
    expect(asked.filter((path) => path.includes('completions'))).toEqual([]);
    expect(learned()).toBe(1);
  });

  it('is looked at once a minute at the most while its server says nothing', async () => {
    const { profiles, clock, asked, looking } = learning(() => Promise.reject(new TypeError('Failed to fetch')));
    await profiles.putEndpoint(ROW);
    const lists = () => asked.filter((path) => path === '/v1/models').length;
    looking.look(ROW);
    looking.look(ROW);
    await clock.advance(59_000);
    const first = lists();
    looking.look(ROW);
    await clock.advance(500);
    expect(lists()).toBe(first);
    await clock.advance(1_000);
    looking.look(ROW);
    await clock.advance(500);
    expect(lists()).toBeGreaterThan(first);
    expect((await found(profiles))?.capabilities).toBeUndefined();
  });

  it('is not waited for longer than the limit', async () => {
    const { profiles, clock, looking, learned } = learning(() => new Promise(() => undefined));
    await profiles.putEndpoint(ROW);
    let isOver = false;
    const looked = looking.learn(ROW, 2_000).then(() => (isOver = true));
    await clock.advance(1_900);
    expect(isOver).toBe(false);
    await clock.advance(200);
    await looked;
    expect(learned()).toBe(0);
  });

  it('keeps what was found by a closer look meanwhile', async () => {
    const closer = { server: 'vllm', continuing: 'prefill' } as unknown as Capabilities;
    const { profiles, looking } = learning(async (path) => {
      await profiles.putEndpoint({ ...ROW, capabilities: closer });
      return vllm(path);
    });
    await profiles.putEndpoint(ROW);
    await looking.learn(ROW, 1_000);
    expect((await found(profiles))?.capabilities).toEqual(closer);
  });
});
