import { beforeAll, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { preferences } from '../../state/preferences.svelte';
import FieldsEditor from './FieldsEditor.svelte';

beforeAll(() => preferences.loadScreens());

test('a field that is added is there to be named at once', async () => {
  const screen = await render(FieldsEditor, { fields: [{ name: 'Vendor', type: 'text', description: '' }] });
  await screen.getByTestId('schema-add').click();
  await expect.element(screen.getByTestId('schema-name').nth(1)).toHaveFocus();
});
