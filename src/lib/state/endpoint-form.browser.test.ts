import { afterEach, expect, test, vi } from 'vitest';
import type { AgentApi, DoctorReport, EndpointDraft } from '../bridge/agent-api';
import type { EndpointRow } from '../core/endpoint';
import { ENDPOINT_PRESETS } from '../core/endpoint-presets';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { failure } from '../core/failure';
import { endpointId } from '../core/ids';
import { fail, ok } from '../core/result';
import { agent } from './agent.svelte';
import { EndpointForm } from './endpoint-form.svelte';
import { keepSessionKey, sessionKeys } from './session-keys';

const ID = endpointId('e/1');
const ROW: EndpointRow = {
  v: 1,
  id: ID,
  name: 'Lab',
  baseUrl: 'http://lab:8000/v1',
  model: 'hermes',
  contextTokens: null,
  key: 'stored',
  createdMs: 0,
  updatedMs: 0,
  lastCheck: null,
};
const READY: DoctorReport = {
  state: 'ready',
  failure: null,
  probes: [{ probe: 'url', state: 'passed', failure: null, tookMs: 1 }],
  models: [{ id: 'hermes', contextTokens: 8192 }],
  firstTokenMs: 120,
  capabilities: null,
  otherUrl: null,
  baseUrl: ROW.baseUrl,
};

function worker(api: Partial<AgentApi>) {
  vi.spyOn(agent, 'ask').mockImplementation((question) => question(api as AgentApi));
}

const saved = () => {
  const drafts: EndpointDraft[] = [];
  worker({ saveEndpoint: async (draft) => (drafts.push(draft), ok(ID)) });
  return drafts;
};

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

test('a key that was not touched is left as it is', async () => {
  const drafts = saved();
  const form = new EndpointForm(ROW);
  expect(form.key).toBe('');
  form.key = 'typed';
  form.key = '';
  await form.save();
  expect(drafts[0]).not.toHaveProperty('key');
  expect(form.removesKey).toBe(false);
});

test('only removing it on purpose removes the key', async () => {
  const drafts = saved();
  const form = new EndpointForm(ROW);
  form.removeKey();
  expect(form.removesKey).toBe(true);
  await form.save();
  expect(drafts[0]?.key).toBe('');
});

test('a key for this tab is remembered by this tab, until it is stored instead', async () => {
  saved();
  const form = new EndpointForm(ROW);
  form.key = ' secret ';
  form.keepKey = 'session';
  await form.save();
  expect(sessionKeys()).toEqual([[ID, 'secret']]);
  form.keepKey = 'stored';
  await form.save();
  expect(sessionKeys()).toEqual([]);
});

test('a refused save remembers nothing', async () => {
  worker({ saveEndpoint: async () => fail(failure('storage_full')) });
  const form = new EndpointForm(ROW);
  form.key = 'secret';
  form.keepKey = 'session';
  expect((await form.save()).ok).toBe(false);
  expect(sessionKeys()).toEqual([]);
});

test('a profile without a name is named after its address', () => {
  const form = new EndpointForm();
  form.baseUrl = 'http://10.0.0.2:8000/v1';
  expect(form.draft()).toMatchObject({ id: null, name: '10.0.0.2:8000' });
  form.baseUrl = 'http://';
  expect(form.draft().name).toBe('http://');
});

test('an earlier test of a profile is told until a field is changed or it is tested again', async () => {
  worker({ testEndpoint: async () => READY });
  const lastCheck = { atMs: 1, state: 'cors_blocked', latencyMs: null };
  const form = new EndpointForm({ ...ROW, lastCheck });
  expect(form.lastCheck).toEqual(lastCheck);
  form.typed.temperature = '0.5';
  expect(form.lastCheck).toBeNull();
  form.typed.temperature = '';
  expect(form.lastCheck).toEqual(lastCheck);
  await form.test();
  expect(form.lastCheck).toBeNull();
  expect(new EndpointForm(ROW).lastCheck).toBeNull();
});

test('the outcome of a test is of what was tested, and of nothing typed since', async () => {
  worker({ testEndpoint: async () => READY });
  const form = new EndpointForm(ROW);
  expect(form.state).toBe('untested');
  await form.test();
  expect(form.state).toBe('ready');
  expect(form.models).toEqual(READY.models);
  form.model = 'another';
  expect(form.state).toBe('untested');
  expect([form.report, form.failure, form.probes]).toEqual([null, null, []]);
  form.model = ROW.model;
  expect(form.state).toBe('ready');
});

test('models are offered of the server that has them, and of no other address', async () => {
  worker({ testEndpoint: async () => READY });
  const form = new EndpointForm(ROW);
  await form.test();
  form.baseUrl = 'http://other:8000/v1';
  expect(form.models).toEqual([]);
  form.baseUrl = ROW.baseUrl;
  expect(form.models).toEqual(READY.models);
});

test('fields changed while the test runs make its outcome worthless', async () => {
  const { promise, resolve } = Promise.withResolvers<DoctorReport>();
  worker({ testEndpoint: () => promise });
  const form = new EndpointForm(ROW);
  const testing = form.test();
  expect(form.state).toBe('testing');
  form.baseUrl = 'http://other:8000/v1';
  resolve(READY);
  await testing;
  expect(form.state).toBe('untested');
});

test('probes fill in while the test runs, each in its one place', async () => {
  const { promise, resolve } = Promise.withResolvers<DoctorReport>();
  worker({
    testEndpoint: (_draft, onProbe) => {
      onProbe({ probe: 'url', state: 'running', failure: null, tookMs: null });
      onProbe({ probe: 'url', state: 'passed', failure: null, tookMs: 1 });
      return promise;
    },
  });
  const form = new EndpointForm(ROW);
  const testing = form.test();
  await vi.waitFor(() => expect(form.probes.map(({ probe, state }) => `${probe} ${state}`)).toEqual(['url passed']));
  resolve({ ...READY, state: 'auth_failed', failure: failure('auth_failed') });
  await testing;
  expect([form.state, form.failure?.code]).toEqual(['auth_failed', 'auth_failed']);
});

test('a worker that dies is the outcome of the test', async () => {
  vi.spyOn(agent, 'ask').mockResolvedValue(fail(failure('worker_stopped')));
  const form = new EndpointForm(ROW);
  await form.test();
  expect([form.state, form.failure?.code]).toEqual(['worker_stopped', 'worker_stopped']);
});

test('models are listed once an address, and again after a failure', async () => {
  const listModels = vi.fn<AgentApi['listModels']>().mockResolvedValueOnce(fail(failure('endpoint_unreachable')));
  listModels.mockResolvedValue(ok(READY.models));
  worker({ listModels });
  const form = new EndpointForm(ROW);
  await form.listModels();
  await form.listModels();
  await form.listModels();
  expect(listModels).toHaveBeenCalledTimes(2);
  expect(form.models).toEqual(READY.models);
  form.baseUrl = 'http://';
  await form.listModels();
  expect(listModels).toHaveBeenCalledTimes(2);
});

test('a profile shows its settings, and saves them as they were when nothing is changed', async () => {
  const drafts = saved();
  const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: 8, headers: { 'X-Title': 'Talaria' } };
  const form = new EndpointForm({ ...ROW, settings });
  expect(form.typed).toMatchObject({ concurrency: '8', headers: 'X-Title: Talaria', contextTokens: '' });
  await form.save();
  expect(drafts[0]?.settings).toEqual(settings);
});

test('settings that are out of order keep the profile from being saved, until they are mended', () => {
  const form = new EndpointForm(ROW);
  expect(form.isInOrder).toBe(true);
  form.typed.body = '{"top_k": 40,}';
  expect([form.isInOrder, form.more.problems.body]).toEqual([false, { what: 'json', line: 1, column: 14, found: '}' }]);
  form.typed.body = '{"top_k": 40}';
  expect([form.isInOrder, form.more.settings.body]).toEqual([true, { top_k: 40 }]);
});

test('the outcome of a test is not that of other settings', async () => {
  worker({ testEndpoint: async () => READY });
  const form = new EndpointForm(ROW);
  await form.test();
  form.typed.headers = 'X-Title: Talaria';
  expect(form.state).toBe('untested');
  form.typed.headers = '';
  expect(form.state).toBe('ready');
});

test('a usual server fills in its address, and its model where none was typed', () => {
  const form = new EndpointForm();
  const [vllm, , ollama] = ENDPOINT_PRESETS;
  expect(form.preset).toBe(vllm);
  if (ollama) form.usePreset(ollama);
  expect([form.baseUrl, form.model, form.preset]).toEqual([ollama?.baseUrl, ollama?.model, ollama]);
  form.model = 'my-own';
  if (vllm) form.usePreset(vllm);
  expect([form.baseUrl, form.model]).toEqual([vllm?.baseUrl, 'my-own']);
});

test('a kept key stays behind when the address leads elsewhere, and comes back with the old address', () => {
  const form = new EndpointForm(ROW);
  expect(form.leavesKey).toBe(false);
  form.baseUrl = 'http://lab:8000/other/v1';
  expect(form.leavesKey).toBe(false);
  form.baseUrl = 'http://lab:9000/v1';
  expect(form.leavesKey).toBe(true);
  form.key = 'typed again';
  expect(form.leavesKey).toBe(false);
  form.key = '';
  form.baseUrl = ROW.baseUrl;
  expect(form.leavesKey).toBe(false);
});

test('a key of this tab that stays behind is forgotten by this tab', async () => {
  saved();
  keepSessionKey(ID, 'secret');
  const form = new EndpointForm({ ...ROW, key: 'session' });
  form.baseUrl = 'http://elsewhere:8000/v1';
  await form.save();
  expect(sessionKeys()).toEqual([]);
});
