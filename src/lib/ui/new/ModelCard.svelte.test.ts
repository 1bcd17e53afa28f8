import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { ok } from '../../core/result';
import { endpointId } from '../../core/ids';
import { agent } from '../../state/agent.svelte';
import { EndpointForm } from '../../state/endpoint-form.svelte';
import { preferences } from '../../state/preferences.svelte';
import { sampleEndpoint } from '../../testing/sample-rows';
import ModelCard from './ModelCard.svelte';
import { USUAL_LIMITS } from './limits';

beforeAll(() => preferences.loadScreens());
afterEach(() => vi.restoreAllMocks());

test('what a test came to stays when it is noted with the profile, and goes when the profile is changed', async () => {
  const report = { state: 'ready', failure: null, probes: [], models: [], firstTokenMs: 5, capabilities: null };
  vi.spyOn(agent, 'ask').mockResolvedValue(ok(report));
  const row = sampleEndpoint({ id: endpointId('mine'), baseUrl: 'http://127.0.0.1:8001/v1' });
  const props = {
    profiles: [row],
    chosen: row.id,
    template: 'summary',
    form: new EndpointForm(),
    concurrency: 4,
    limits: { ...USUAL_LIMITS },
    onchoose: () => undefined,
  } as const;
  const screen = await render(ModelCard, props);
  const state = screen.getByTestId('endpoint-state');
  await screen.getByTestId('endpoint-test').click();
  await expect.element(state).toHaveAttribute('data-state', 'ready');
  const noted = { ...row, contextTokens: 4_096, lastCheck: { atMs: 1, state: 'ready', latencyMs: 5 } };
  await screen.rerender({ ...props, profiles: [noted] });
  await expect.element(state).toHaveAttribute('data-state', 'ready');
  await screen.rerender({ ...props, profiles: [{ ...noted, baseUrl: 'http://127.0.0.1:9001/v1' }] });
  await expect.element(state).toHaveAttribute('data-state', 'untested');
});
