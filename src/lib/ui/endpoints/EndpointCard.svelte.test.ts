import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { endpointId } from '../../core/ids';
import { ok } from '../../core/result';
import { agent } from '../../state/agent.svelte';
import { EndpointForm } from '../../state/endpoint-form.svelte';
import { preferences } from '../../state/preferences.svelte';
import { sampleEndpoint } from '../../testing/sample-rows';
import EndpointCard from './EndpointCard.svelte';

beforeAll(() => preferences.loadScreens());
afterEach(() => vi.restoreAllMocks());

const REPORT = { state: 'ready', failure: null, probes: [], models: [], firstTokenMs: 5, capabilities: null };

test('what is tested is the profile as it is now, also after it was changed in another tab', async () => {
  vi.spyOn(agent, 'ask').mockResolvedValue(ok(REPORT));
  const drafted = vi.spyOn(EndpointForm.prototype, 'draft');
  const row = sampleEndpoint({ id: endpointId('mine'), baseUrl: 'http://127.0.0.1:8001/v1' });
  const props = { row, nowMs: 0, onedit: () => undefined, onduplicate: () => undefined };
  const screen = await render(EndpointCard, props);
  await screen.getByTestId('endpoint-card-test').click();
  await expect.element(screen.getByTestId('endpoint-state')).toHaveAttribute('data-state', 'ready');
  await screen.rerender({ ...props, row: { ...row, baseUrl: 'http://127.0.0.1:9001/v1', updatedMs: 9 } });
  await screen.getByTestId('endpoint-card-test').click();
  const tested = () => drafted.mock.results.map(({ value }) => (value as { baseUrl: string }).baseUrl);
  await expect.poll(tested).toEqual([row.baseUrl, 'http://127.0.0.1:9001/v1']);
});
