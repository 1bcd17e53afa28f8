import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { failure } from '../../core/failure';
import { ok } from '../../core/result';
import { agent } from '../../state/agent.svelte';
import { EndpointForm } from '../../state/endpoint-form.svelte';
import { preferences } from '../../state/preferences.svelte';
import DoctorPanel from './DoctorPanel.svelte';

beforeAll(() => preferences.loadScreens());
afterEach(() => vi.restoreAllMocks());

test('a step of the test is a question, and its mark the answer', async () => {
  const found = failure('endpoint_unreachable', { details: { url: 'http://10.0.0.2:8000/v1' } });
  const probes = [{ probe: 'reachable', state: 'failed', failure: found, tookMs: 1 }];
  const report = { state: found.code, failure: found, probes, models: [], firstTokenMs: null, baseUrl: '' };
  vi.spyOn(agent, 'ask').mockResolvedValue(ok(report));
  const screen = await render(DoctorPanel, { form: new EndpointForm() });
  await screen.getByRole('button', { name: 'Test' }).click();
  const step = screen.getByRole('listitem').nth(1);
  await expect.element(step).toHaveTextContent('Does anything answer there? no');
});

test('a failed test is told once, and what to do is told of the fields beside it', async () => {
  const found = failure('endpoint_unreachable', { details: { url: 'http://10.0.0.2:8000/v1' } });
  const report = { state: found.code, failure: found, probes: [], models: [], firstTokenMs: null, baseUrl: '' };
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
