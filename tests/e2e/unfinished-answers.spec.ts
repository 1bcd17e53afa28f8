import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { storedText } from '../support/stored-text';

const WORDS = 'Half of the answer is here, and then';

test('what came in of an unfinished answer outlives a killed browser, until the answer is there', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  modelServer.script(() => ({ type: 'stall', after: 'tokens', tokens: 9, text: `${WORDS} there would be more` }));
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.inFlight === 2);
  await expect.poll(() => storedText(app.page)).toContain(WORDS);
  await app.kill();
  modelServer.script(() => ({ type: 'reset' }));

  const again = await openApp();
  const reopened = await again.openTask(task.id);
  await reopened.waitForStatus('paused');
  await reopened.fileDetail('note-0000.txt');
  await expect(again.get('unfinished')).toContainText(WORDS);

  modelServer.script(null);
  await again.page.keyboard.press('Escape');
  await again.get('continue').click();
  await reopened.waitForStatus('completed');
  await reopened.fileDetail('note-0000.txt');
  await expect(again.get('file-detail')).toContainText('note-0000.txt');
  await expect(again.get('unfinished')).toHaveCount(0);
  expect(await storedText(again.page)).not.toContain(WORDS);
});
