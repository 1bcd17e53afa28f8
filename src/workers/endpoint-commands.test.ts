import { afterEach, expect, it, vi } from 'vitest';
import type { EndpointDraft } from '../lib/bridge/agent-api';
import type { EndpointId } from '../lib/core/ids';
import type { Network } from '../lib/core/ports';
import { Breakers } from '../lib/engine/breaker';
import { SessionKeys } from '../lib/llm/session-keys';
import { MemoryCheckpointStore } from '../lib/storage/checkpoint-store-memory';
import { MemoryProfileStore } from '../lib/storage/profile-store-memory';
import { FakeClock } from '../lib/testing/fake-clock';
import { endpointCommands } from './endpoint-commands';

const network: Network = { online: true, onChange: () => () => undefined };
const ADDRESS = 'http://127.0.0.1:8001/v1';
const draft: EndpointDraft = { id: null, name: 'Mine', baseUrl: ADDRESS, model: 'hermes', keepKey: 'stored' };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Two tabs of one browser, and a server that tells its models when it is let to. */
function twoTabs() {
  const profiles = new MemoryProfileStore();
  const clock = new FakeClock();
  const tab = () =>
    endpointCommands({
      store: new MemoryCheckpointStore(),
      profiles,
      sessionKeys: new SessionKeys({ send: () => undefined, onMessage: () => undefined }),
      clock,
      network,
      breakers: new Breakers(profiles, clock),
      onChanged: () => undefined,
    });
  let hear = () => {};
  let tell = () => {};
  const asked = new Promise<void>((resolve) => (hear = resolve));
  const told = new Promise<void>((resolve) => (tell = resolve));
  vi.stubGlobal('fetch', async () => {
    hear();
    await told;
    return Response.json({ object: 'list', data: [{ id: 'hermes', object: 'model', max_model_len: 4_096 }] });
  });
  return { profiles, here: tab(), there: tab(), asked, tell };
}

async function savedId(profiles: MemoryProfileStore): Promise<EndpointId> {
  const rows = await profiles.endpoints();
  if (!rows.ok || !rows.value[0]) throw new Error('no endpoint');
  return rows.value[0].id;
}

it('keeps what a server tells of its model with the endpoint that was saved', async () => {
  const { profiles, here, tell } = twoTabs();
  tell();
  await here.saveEndpoint(draft);
  expect(await profiles.endpoints()).toMatchObject({ value: [{ baseUrl: ADDRESS, contextTokens: 4_096 }] });
});

it('an endpoint that is deleted while its server is asked about the model stays deleted', async () => {
  const { profiles, here, there, asked, tell } = twoTabs();
  const saving = here.saveEndpoint(draft);
  await asked;
  await there.deleteEndpoint(await savedId(profiles));
  tell();
  await saving;
  expect(await profiles.endpoints()).toMatchObject({ value: [] });
});

it('an address that is changed while the old one is asked about the model stays as it was changed', async () => {
  const { profiles, here, there, asked, tell } = twoTabs();
  const saving = here.saveEndpoint(draft);
  await asked;
  const changed = { ...draft, id: await savedId(profiles), name: 'Elsewhere', baseUrl: 'http://127.0.0.1:8002/v1' };
  const changing = there.saveEndpoint({ ...changed, model: 'another' });
  await vi.waitFor(async () => expect(await profiles.endpoints()).toMatchObject({ value: [{ name: 'Elsewhere' }] }));
  tell();
  await Promise.all([saving, changing]);
  expect(await profiles.endpoints()).toMatchObject({
    value: [{ name: 'Elsewhere', baseUrl: 'http://127.0.0.1:8002/v1', model: 'another', contextTokens: null }],
  });
});
