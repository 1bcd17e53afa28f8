import { beforeAll, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { sampleEndpoint } from '../../testing/sample-rows';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../core/endpoint-settings';
import { EndpointForm } from '../../state/endpoint-form.svelte';
import { preferences } from '../../state/preferences.svelte';
import EndpointEditor from './EndpointEditor.svelte';
import MoreFields from './MoreFields.svelte';

beforeAll(() => preferences.loadScreens());

test('the fold is closed where nothing is set, and open where something is, which it counts', async () => {
  const closed = await render(MoreFields, { form: new EndpointForm() });
  await expect.element(closed.getByText('More settings')).toBeVisible();
  await expect.element(closed.getByLabelText('Extra headers')).not.toBeVisible();
  await closed.unmount();
  const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: 8, headers: { 'X-Title': 'Talaria' } };
  const open = await render(MoreFields, { form: new EndpointForm(sampleEndpoint({ settings, contextTokens: 8_192 })) });
  await expect.element(open.getByText('More settings (2 set)')).toBeVisible();
  await expect.element(open.getByLabelText('Extra headers')).toHaveValue('X-Title: Talaria');
  await expect.element(open.getByText('Left empty, 8,192 as the server says.')).toBeVisible();
});

test('what is wrong is told at its field, with its place, and keeps the profile from being saved', async () => {
  const screen = await render(EndpointEditor, { row: sampleEndpoint(), onclose: () => undefined });
  await screen.getByText('More settings').click();
  const body = screen.getByLabelText('Extra fields of each question');
  await body.fill('{"top_k": 40,}');
  await expect.element(screen.getByText('“}” in line 1 at character 14 cannot stand there')).toBeVisible();
  await expect.element(body).toHaveAttribute('aria-invalid', 'true');
  await expect.element(screen.getByTestId('endpoint-save')).toBeDisabled();
  await body.fill('{"model": "other"}');
  await expect.element(screen.getByText('“model” is set by Talaria')).toBeVisible();
  await body.fill('{"top_k": 40}');
  await screen.getByLabelText('Extra headers').fill('Authorization: Bearer x');
  await expect.element(screen.getByText('Write the key into its own field')).toBeVisible();
  await screen.getByLabelText('Extra headers').fill('');
  await screen.getByLabelText('More addresses').fill('127.0.0.1:8001');
  await expect.element(screen.getByText('Will be used as http://127.0.0.1:8001/v1')).toBeVisible();
  await expect.element(screen.getByTestId('endpoint-save')).toBeEnabled();
});

test('a new address says that the kept key is not sent there', async () => {
  const screen = await render(EndpointEditor, { row: sampleEndpoint({ key: 'stored' }), onclose: () => undefined });
  await screen.getByTestId('endpoint-url').fill('http://10.0.0.2:8000/v1');
  await expect.element(screen.getByText('The kept key was given for http://127.0.0.1:8000')).toBeVisible();
  await screen.getByTestId('endpoint-key').fill('sk-again');
  await expect.element(screen.getByText('The kept key was given for')).not.toBeInTheDocument();
});
