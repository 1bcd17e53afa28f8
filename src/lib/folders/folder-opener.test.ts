import { expect, it } from 'vitest';
import { sampleFolder } from '../testing/sample-rows';
import { createFolderOpener } from './folder-opener';

it('a folder that nobody has given here is not said to be gone', async () => {
  const opener = createFolderOpener({ sampleBaseUrl: '/', opfsRoot: () => Promise.reject(new Error('none')) });
  const opened = await opener.open(sampleFolder({ kind: 'handle', name: 'notes', handle: null }));
  expect(opened).toMatchObject({ ok: false, failure: { code: 'folder_not_given', details: { folder: 'notes' } } });
});
