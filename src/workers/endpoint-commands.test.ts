import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EndpointDraft } from '../lib/bridge/agent-api';
import type { EndpointRow } from '../lib/core/endpoint';
import type { EndpointId } from '../lib/core/ids';
import type { Network } from '../lib/core/ports';
import { Breakers } from '../lib/engine/breaker';
import { SessionKeys } from '../lib/llm/session-keys';
import { MemoryCheckpointStore } from '../lib/storage/checkpoint-store-memory';
import { MemoryProfileStore } from '../lib/storage/profile-store-memory';
import { FakeClock } from '../lib/testing/fake-clock';
import { DEFAULT_ENDPOINT_SETTINGS } from '../lib/core/endpoint-settings';
import { valueOf } from '../lib/storage/checkpoint-store.conformance';
import { sampleFolder, sampleTask } from '../lib/testing/sample-rows';
import { endpointCommands } from './endpoint-commands';
import { EndpointLearning } from './endpoint-learning';

const network: Network = { online: true, onChange: () => () => undefined };
const ADDRESS = 'http://127.0.0.1:8001/v1';
const draft: EndpointDraft = { id: null, name: 'Mine', baseUrl: ADDRESS, model: 'hermes', keepKey: 'stored' };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** One tab, whose server tells nothing and sees what is sent. */
function oneTab() {
  const profiles = new MemoryProfileStore();
  const store = new MemoryCheckpointStore();
  const clock = new FakeClock();
  const sent: Request[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    sent.push(new Request(input, init));
    return Response.json({ error: { message: 'nothing here' } }, { status: 404 });
  });
  const sessionKeys = new SessionKeys({ send: () => undefined, onMessage: () => undefined });
  const breakers = new Breakers(profiles, clock);
  const learning = new EndpointLearning({ profiles, sessionKeys, clock, network, onLearned: () => undefined });
  const parts = { store, profiles, sessionKeys, clock, network, breakers, learning, onChanged: () => undefined };
  const commands = endpointCommands(parts);
  const save = async (more: Partial<EndpointDraft> = {}) => valueOf(await commands.saveEndpoint({ ...draft, ...more }));
  return { ...parts, commands, save, sent };
}

const row = async (profiles: MemoryProfileStore, id: EndpointId) => valueOf(await profiles.endpoint(id));

/** Two tabs of one browser, and a server that tells its models when it is let to. */
function twoTabs() {
  const profiles = new MemoryProfileStore();
  const clock = new FakeClock();
  const tab = () => {
    const sessionKeys = new SessionKeys({ send: () => undefined, onMessage: () => undefined });
    return endpointCommands({
      store: new MemoryCheckpointStore(),
      profiles,
      sessionKeys,
      clock,
      network,
      breakers: new Breakers(profiles, clock),
      learning: new EndpointLearning({ profiles, sessionKeys, clock, network, onLearned: () => undefined }),
      onChanged: () => undefined,
    });
  };
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

const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: 8, headers: { 'X-Title': 'Talaria' } };

it('keeps the settings, without what may not be set, and leaves them alone when a draft has none', async () => {
  const { profiles, save } = oneTab();
  const headers = { ...settings.headers, Authorization: 'Bearer x' };
  const id = await save({ settings: { ...settings, headers } });
  expect(await row(profiles, id)).toMatchObject({ settings });
  await save({ id, name: 'Renamed' });
  expect(await row(profiles, id)).toMatchObject({ name: 'Renamed', settings });
});

it('keeps what was found of a server while address and model stay, and drops it with either', async () => {
  const { profiles, save } = oneTab();
  const id = await save({ settings });
  const saved = await row(profiles, id);
  const capabilities = { atMs: 1, server: 'vllm', lanes: [] } as unknown as NonNullable<EndpointRow['capabilities']>;
  if (saved) valueOf(await profiles.putEndpoint({ ...saved, contextTokens: 4_096, capabilities }));
  await save({ id, name: 'Renamed' });
  expect(await row(profiles, id)).toMatchObject({ contextTokens: 4_096, capabilities });
  await save({ id, model: 'another' });
  expect(await row(profiles, id)).toMatchObject({ contextTokens: null, model: 'another', settings });
  expect(await row(profiles, id)).not.toHaveProperty('capabilities');
});

describe('a kept key and another address', () => {
  const ELSEWHERE = 'http://127.0.0.1:9001/v1';

  it.each(['stored', 'session'] as const)('a %s key stays where it was given for', async (keepKey) => {
    const { profiles, sessionKeys, save, commands, sent } = oneTab();
    const id = await save({ key: 'sk-mine', keepKey });
    await save({ id, keepKey, baseUrl: `${ADDRESS}/other` });
    expect((await row(profiles, id))?.key).toBe(keepKey);
    sent.length = 0;
    const moved = { ...draft, id, keepKey, baseUrl: ELSEWHERE };
    await commands.listModels(moved);
    await commands.testEndpoint(moved, () => undefined);
    await save(moved);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.map(({ url, headers }) => [new URL(url).host, headers.get('authorization')])).toEqual(
      sent.map(() => ['127.0.0.1:9001', null]),
    );
    expect((await row(profiles, id))?.key).toBe('none');
    expect([valueOf(await profiles.endpointKey(id)), sessionKeys.get(id)]).toEqual([null, undefined]);
  });

  it('goes with it to an address that was vouched for, and when it is typed again', async () => {
    const { profiles, save } = oneTab();
    const id = await save({ key: 'sk-mine', settings: { ...settings, moreUrls: [ELSEWHERE] } });
    await save({ id, baseUrl: ELSEWHERE });
    expect(valueOf(await profiles.endpointKey(id))).toBe('sk-mine');
    await save({ id, baseUrl: 'http://127.0.0.1:9002/v1', key: 'sk-mine' });
    expect(valueOf(await profiles.endpointKey(id))).toBe('sk-mine');
  });
});

describe('what a test came to', () => {
  it('is kept with the profile that was tested, and with no other of the same address', async () => {
    const { profiles, commands, save } = oneTab();
    const [id, other] = [await save(), await save({ name: 'Other' })];
    await commands.testEndpoint({ ...draft, id }, () => undefined);
    await save({ id: other, name: 'Renamed' });
    const checks = await Promise.all([id, other].map(async (each) => (await row(profiles, each))?.lastCheck));
    expect(checks).toMatchObject([{ state: 'wrong_base_url' }, null]);
  });

  it('is noted once: a later test by another tab is not undone by a change of the name', async () => {
    const { profiles, commands, save } = oneTab();
    const id = await save();
    await commands.testEndpoint({ ...draft, id }, () => undefined);
    await save({ id, name: 'Renamed' });
    const check = { atMs: 9, state: 'ready', latencyMs: 5 };
    await profiles.noteEndpoint({ id, baseUrl: ADDRESS, model: 'hermes', contextTokens: null, check });
    await save({ id, name: 'Renamed again' });
    expect((await row(profiles, id))?.lastCheck).toEqual(check);
  });

  it('holds for the key that it was tested with', async () => {
    const { profiles, commands, save } = oneTab();
    const id = await save();
    await commands.testEndpoint({ ...draft, id, key: 'sk-tried' }, () => undefined);
    expect((await row(profiles, id))?.lastCheck).toBeNull();
    await save({ id, key: 'sk-tried' });
    expect((await row(profiles, id))?.lastCheck).toMatchObject({ state: 'wrong_base_url' });
    await save({ id, key: 'sk-other' });
    expect((await row(profiles, id))?.lastCheck).toBeNull();
  });

  it('leaves what was found before where a busy server lets nothing be told', async () => {
    const { profiles, commands, save } = oneTab();
    const id = await save();
    const saved = await row(profiles, id);
    const known = { server: 'vllm', version: '0.11.2', continuing: 'fields', schema: 'json_schema' };
    const capabilities = known as unknown as NonNullable<EndpointRow['capabilities']>;
    if (saved) valueOf(await profiles.putEndpoint({ ...saved, capabilities }));
    const token = { choices: [{ delta: { content: 'OK' }, finish_reason: 'stop' }] };
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      if (input.endsWith('/models')) return Response.json({ data: [{ id: 'hermes', owned_by: 'vllm' }] });
      if (input.endsWith('/version')) return Response.json({ version: '0.11.2' });
      const isStream = typeof init?.body === 'string' && init.body.includes('"stream":true');
      if (!isStream) return Response.json({ error: { message: 'busy' } }, { status: 429 });
      return new Response(`data: ${JSON.stringify(token)}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    });
    expect((await commands.testEndpoint({ ...draft, id }, () => undefined)).state).toBe('ready');
    expect((await row(profiles, id))?.capabilities).toMatchObject(known);
  });

  it('says that a key of this session is not at hand, and not that the server refuses one', async () => {
    const { profiles, commands, save, sessionKeys } = oneTab();
    const id = await save({ key: 'sk-mine', keepKey: 'session' });
    sessionKeys.forget(id);
    const report = await commands.testEndpoint({ ...draft, id }, () => undefined);
    expect(report.state).toBe('key_unavailable');
    expect((await row(profiles, id))?.lastCheck?.state).toBe('key_unavailable');
  });
});

it('a duplicate is a profile of its own, with all that the first has', async () => {
  const { profiles, sessionKeys, commands, save } = oneTab();
  const id = await save({ key: 'sk-mine', settings });
  const copy = valueOf(await commands.duplicateEndpoint(id, 'Copy of Mine'));
  expect(copy).not.toBe(id);
  expect(await row(profiles, copy)).toMatchObject({ name: 'Copy of Mine', baseUrl: ADDRESS, key: 'stored', settings });
  expect(valueOf(await profiles.endpointKey(copy))).toBe('sk-mine');
  valueOf(await commands.deleteEndpoint(id));
  expect(valueOf(await profiles.endpointKey(copy))).toBe('sk-mine');
  const session = await save({ key: 'sk-now', keepKey: 'session' });
  expect(sessionKeys.get(valueOf(await commands.duplicateEndpoint(session, 'Again')))).toBe('sk-now');
  expect(await commands.duplicateEndpoint(id, 'Gone')).toMatchObject({ failure: { code: 'endpoint_missing' } });
});

it('names the unfinished task that keeps an endpoint from being deleted', async () => {
  const { store, profiles, commands, save } = oneTab();
  const id = await save();
  const task = sampleTask({ endpointId: id, name: 'Letters', status: 'paused', reason: 'user' });
  valueOf(await store.createTask(task, sampleFolder()));
  expect(await commands.deleteEndpoint(id)).toMatchObject({
    failure: { code: 'request_rejected', details: { task: 'Letters', id: task.id } },
  });
  expect(await row(profiles, id)).not.toBeNull();
});
