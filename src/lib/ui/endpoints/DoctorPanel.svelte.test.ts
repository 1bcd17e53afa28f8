import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { Capabilities } from '../../core/capabilities';
import type { EndpointRow } from '../../core/endpoint';
import { failure } from '../../core/failure';
import { endpointId } from '../../core/ids';
import { ok } from '../../core/result';
import { agent } from '../../state/agent.svelte';
import { EndpointForm } from '../../state/endpoint-form.svelte';
import { preferences } from '../../state/preferences.svelte';
import DoctorPanel from './DoctorPanel.svelte';

beforeAll(() => preferences.loadScreens());
afterEach(() => vi.restoreAllMocks());

const EMPTY = { models: [], firstTokenMs: null, baseUrl: '', capabilities: null, otherUrl: null };

test('a step says what was found of it, and its mark whether that will do', async () => {
  const found = failure('endpoint_unreachable', { details: { url: 'http://10.0.0.2:8000/v1' } });
  const probes = [{ probe: 'reachable', state: 'failed', failure: found, tookMs: 1 }];
  vi.spyOn(agent, 'ask').mockResolvedValue(ok({ ...EMPTY, state: found.code, failure: found, probes }));
  const screen = await render(DoctorPanel, { form: new EndpointForm() });
  await screen.getByRole('button', { name: 'Test' }).click();
  const step = screen.getByTestId('doctor-probe').nth(3);
  await expect.element(step).toHaveTextContent('Reached no. Nothing answers at http://10.0.0.2:8000/v1.');
  await expect.element(step).toHaveAttribute('data-state', 'failed');
});

const CAPABILITIES: Capabilities = {
  atMs: 0,
  server: 'ollama',
  version: '0.13.1',
  contextTokens: 4_096,
  slots: 1,
  streaming: 'tokens',
  continuing: 'prefill',
  reattaching: null,
  schema: 'json_schema',
  tools: 'native',
  counting: null,
  streamsPerConnection: null,
  lanes: [],
};

test('a server that works has a name, and what it lacks comes with a line that mends it', async () => {
  const details = { server: 'ollama', tokens: 4_096, url: 'http://127.0.0.1:9999/v1', model: 'hermes' };
  const finding = { name: 'context_small', details };
  const probes = [{ probe: 'context', state: 'lacking', failure: null, finding, tookMs: 1 }];
  const report = { ...EMPTY, state: 'ready', failure: null, probes, capabilities: CAPABILITIES };
  vi.spyOn(agent, 'ask').mockResolvedValue(ok(report));
  const screen = await render(DoctorPanel, { form: new EndpointForm() });
  await screen.getByRole('button', { name: 'Test' }).click();
  await expect.element(screen.getByTestId('endpoint-state')).toHaveAttribute('data-state', 'ready');
  await expect
    .element(screen.getByTestId('doctor-server'))
    .toHaveTextContent('Ollama 0.13.1, one slot of 4,096 tokens');
  await expect.element(screen.getByText('OLLAMA_CONTEXT_LENGTH=16384 ollama serve')).toBeVisible();
});

test('a profile that was tested before is not called untested', async () => {
  const row: EndpointRow = {
    v: 1,
    id: endpointId('e/1'),
    name: 'Lab',
    baseUrl: 'http://lab:8000/v1',
    model: 'hermes',
    contextTokens: null,
    key: 'none',
    createdMs: 0,
    updatedMs: 0,
    lastCheck: { atMs: Date.now() - 3_600_000, state: 'ready', latencyMs: 80 },
  };
  const screen = await render(DoctorPanel, { form: new EndpointForm(row) });
  await expect.element(screen.getByTestId('endpoint-state')).toHaveTextContent('Ready · tested 1 hour ago');
});

test('another name of this machine that answers is taken with one press', async () => {
  const found = failure('endpoint_unreachable', { details: { url: 'http://localhost:8000/v1' } });
  const otherUrl = 'http://[::1]:8000/v1';
  const asked = vi.spyOn(agent, 'ask');
  asked.mockResolvedValue(ok({ ...EMPTY, state: found.code, failure: found, probes: [], otherUrl }));
  const form = new EndpointForm();
  const screen = await render(DoctorPanel, { form });
  await screen.getByRole('button', { name: 'Test' }).click();
  await screen.getByRole('button', { name: `Use ${otherUrl}` }).click();
  expect(form.baseUrl).toBe(otherUrl);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('another name is only told of where nothing of the form is saved: the profile would stay as it is', async () => {
  const found = failure('endpoint_unreachable', { details: { url: 'http://localhost:8000/v1' } });
  const otherUrl = 'http://[::1]:8000/v1';
  vi.spyOn(agent, 'ask').mockResolvedValue(ok({ ...EMPTY, state: found.code, failure: found, probes: [], otherUrl }));
  const screen = await render(DoctorPanel, { form: new EndpointForm(), mayChange: false });
  await screen.getByRole('button', { name: 'Test' }).click();
  await expect.element(screen.getByText(`Something answers at ${otherUrl}.`)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: `Use ${otherUrl}` })).not.toBeInTheDocument();
});

test('a page that may not read is told every way to be let in', async () => {
  const details = { url: 'http://10.0.0.2:9000/v1', origin: 'https://talaria.test', header: 'x-team' };
  const found = failure('cors_blocked', { details });
  vi.spyOn(agent, 'ask').mockResolvedValue(ok({ ...EMPTY, state: found.code, failure: found, probes: [] }));
  const screen = await render(DoctorPanel, { form: new EndpointForm() });
  await screen.getByRole('button', { name: 'Test' }).click();
  await expect.element(screen.getByText('header “x-team”')).toBeVisible();
  await screen.getByText('Another server?').click();
  const ways = screen.getByTestId('doctor-cors-ways');
  await expect.element(ways).toHaveTextContent('OLLAMA_ORIGINS=https://talaria.test');
  await expect.element(ways).toHaveTextContent('--cors-origins https://talaria.test');
  await expect
    .element(ways)
    .toHaveTextContent('add_header Access-Control-Allow-Headers "authorization, content-type, x-team"');
});

test('a failed test is told once, and what to do is told of the fields beside it', async () => {
  const found = failure('endpoint_unreachable', { details: { url: 'http://10.0.0.2:8000/v1' } });
  const report = { ...EMPTY, state: found.code, failure: found, probes: [] };
  vi.spyOn(agent, 'ask').mockResolvedValue(ok(report));
  const screen = await render(DoctorPanel, { form: new EndpointForm() });
  await screen.getByRole('button', { name: 'Test' }).click();
  await expect.element(screen.getByTestId('endpoint-state')).toHaveAttribute('data-state', 'endpoint_unreachable');
  await expect.element(screen.getByText('correct the address above')).toBeVisible();
  const text = screen.container.textContent;
  expect(text.split('Nothing answers at')).toHaveLength(2);
  expect(text).not.toContain('under Endpoints');
  expect(text).not.toContain('goes on by itself');
});
