import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askedByFile } from '../support/asked.mjs';
import { gateAfter } from '../support/barriers.mjs';
import { seedProfile } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';
import { addFiles, distinctFiles, outputsIn } from '../support/folder.mjs';

const CASES = 'tests/cases';

test('files added, changed, renamed and deleted during a pause are found, and nothing else is asked again', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(8));
  const app = await openApp({ grant: folder });
  gateAfter(modelServer, 4);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForSettled(4);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  await modelServer.waitFor((server) => server.inFlight === 0);
  const before = askedByFile(modelServer);
  const finished = [...before].map(([path]) => path).slice(0, 4);
  const [changed = '', renamed = '', ...kept] = finished;
  const pending = Object.keys(distinctFiles(8)).filter((path) => !finished.includes(path));
  const deleted = pending[0] ?? '';

  addFiles(folder, { 'aaa-first.txt': 'File <aaa-first.txt>\nNew and in front.\n' });
  addFiles(folder, { [changed]: `File <${changed}>\nNow it says something else.\n` });
  renameSync(join(folder, renamed), join(folder, 'zzz-renamed.txt'));
  rmSync(join(folder, deleted));
  modelServer.script(null);
  modelServer.forget();
  await task.press('continue');
  await task.waitForStatus('completed');
  await task.expectCounts({ failed: 0 });

  const asked = askedByFile(modelServer);
  expect(asked.get('aaa-first.txt')).toBe(1);
  expect(asked.get(changed)).toBe(1);
  expect(asked.get(deleted)).toBeUndefined();
  for (const path of [...kept, renamed, 'zzz-renamed.txt']) expect(asked.get(path), path).toBeUndefined();
  for (const path of pending.slice(1)) expect(asked.get(path), path).toBe(1);
  const report = await task.report();
  await expect(report).toContainText('zzz-renamed.txt');
  await expect(report).toContainText('aaa-first.txt');
  expect(modelServer.requests.some(({ content }) => content.includes('something else'))).toBe(true);
});

test('RES-11: a change after the first 500 characters is seen, although the size is the same', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const [v1, v2] = ['v1', 'v2'].map((version) => readFileSync(`${CASES}/text/res11-change-after-500.${version}.txt`));
  const folder = makeFolder({ 'contract.txt': v1 ?? '', ...distinctFiles(2, (index) => `z-${index}.txt`) });
  modelServer.set({ answer: (content) => `The amount is ${/金额：(\d+)/.exec(content)?.[1] ?? 'not named'}.` });
  const app = await openApp({ grant: folder });
  gateAfter(modelServer, 1);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForSettled(1);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  addFiles(folder, { 'contract.txt': v2 ?? '' });
  modelServer.script(null);
  await task.press('continue');
  await task.waitForStatus('completed');
  await expect(await task.fileDetail('contract.txt')).toContainText('The amount is 900.');
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').toContain('The amount is 900.');
  expect(outputsIn(folder)[0]?.csv).not.toContain('The amount is 100.');
});

test('FSA-04: a file deleted before its turn is gone, and the others go on', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(9));
  const app = await openApp({ grant: folder });
  const gate = gateAfter(modelServer, 1);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await modelServer.waitFor((server) => server.requests.length === 2);
  // Far enough behind the one in work: the next few are read ahead.
  rmSync(join(folder, 'note-0007.txt'));
  gate.open();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 8, failed: 0 });
  await task.expectFile('note-0007.txt', { status: 'skipped', code: 'file_gone' });
  expect(askedByFile(modelServer).has('note-0007.txt')).toBe(false);
});

test('FSA-02: a folder that was moved away is asked for, never taken for an empty one', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(6));
  const app = await openApp({ grant: folder });
  gateAfter(modelServer, 2);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForSettled(2);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  const away = `${folder}-moved`;
  renameSync(folder, away);
  modelServer.script(null);
  modelServer.forget();
  await task.press('continue');
  await task.waitForStatus('paused', { reason: 'permission' });
  await expect(app.page.locator('[data-code="folder_missing"]').first()).toContainText('Pick the folder');
  await task.expectCounts({ done: 2, failed: 0 });
  expect(modelServer.requests).toEqual([]);
  renameSync(away, folder);
  await app.close();
  const reopened = await (await openApp()).openTask(task.id);
  await reopened.waitForStatus('completed');
  await reopened.expectCounts({ done: 6, failed: 0 });
  expect(askedByFile(modelServer).size).toBe(4);
});

/** For `addInitScript`: nobody can answer the browser's question here, so it is answered with no, and noted. */
function refusePermission() {
  const asked: boolean[] = [];
  Reflect.set(window, 'askedWhileActive', asked);
  Reflect.set(FileSystemHandle.prototype, 'requestPermission', () => {
    asked.push(navigator.userActivation.isActive);
    return Promise.resolve('denied');
  });
}

test('FSA-01: a lapsed permission pauses the task, one click asks, and a refusal loses nothing', async ({
  openApp,
  modelServer,
  makeFolder,
  profile,
  app: { origin },
}) => {
  const folder = makeFolder(distinctFiles(6));
  const app = await openApp({ grant: folder });
  gateAfter(modelServer, 2);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForSettled(2);
  await app.close();
  modelServer.script(null);
  modelServer.forget();

  seedProfile(profile, origin, []);
  const lapsed = await openApp({ initScript: refusePermission });
  const parked = await lapsed.openTask(task.id);
  await parked.waitForStatus('paused', { reason: 'permission' });
  const askedWhileActive = () => lapsed.page.evaluate((): unknown => Reflect.get(window, 'askedWhileActive'));
  expect(await askedWhileActive()).toEqual([]);
  await parked.press('grant-folder');
  await expect.poll(askedWhileActive).toEqual([true]);
  await expect(lapsed.get('grant-folder')).toBeEnabled();
  await parked.waitForStatus('paused', { reason: 'permission' });
  await parked.expectCounts({ done: 2, failed: 0 });
  expect(modelServer.requests).toEqual([]);
  await lapsed.close();

  seedProfile(profile, origin, folder);
  const granted = await (await openApp()).openTask(task.id);
  await granted.waitForStatus('completed');
  await granted.expectCounts({ done: 6, failed: 0 });
  expect([...askedByFile(modelServer).values()]).toEqual([1, 1, 1, 1]);
});

test('a folder that may only be read gives its report on screen', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp();
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 0 });
  expect(outputsIn(folder)).toEqual([]);
  await expect(await task.report()).toContainText('note-0002.txt');
  expect((await task.download('csv')).toString('utf8')).toContain('note-0002.txt');
});

test('FSA-08: odd names keep their own results, and system, lock and swap files are left alone', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const names = JSON.parse(readFileSync(`${CASES}/names/names.json`, 'utf8')) as string[];
  const ignored = ['.hidden.txt', '~$lock.docx', '.DS_Store', 'Thumbs.db', 'draft.txt.crswap', 'draft.txt~'];
  const folder = makeFolder(
    Object.fromEntries(names.map((name, index) => [name, `Text number ${index} of a file with an odd name.\n`])),
  );
  modelServer.set({ answer: (content) => `Seen: ${/Text number (\d+) of/.exec(content)?.[1] ?? 'several'}.` });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  // Names that Chromium itself does not list to a page.
  const unlisted = [' leading space.txt', 'emoji-👩‍💻.txt', `quote'".txt`];
  const readable = names.filter((name) => !ignored.includes(name) && !unlisted.includes(name));
  await task.expectCounts({ done: readable.length, failed: 0 });
  for (const name of ignored)
    expect(modelServer.requests.some(({ content }) => content.includes(`Text number ${names.indexOf(name)} of`))).toBe(
      false,
    );
  // The table is written last.
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').not.toBe('');
  expect(outputsIn(folder)[0]?.results.length).toBe(readable.length);
  const output = outputsIn(folder)[0];
  const texts = (output?.results ?? []).map((name) => readFileSync(join(output?.dir ?? '', 'results', name), 'utf8'));
  for (const name of readable)
    expect(texts.filter((text) => text.includes(`Seen: ${names.indexOf(name)}.`))).toHaveLength(1);
});

test('FSA-10: without a folder picker the folder is copied, and survives a restart', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(6, (index) => `part-${index % 2}/note-${index}.txt`));
  const noPicker = () => {
    Reflect.deleteProperty(window, 'showDirectoryPicker');
    Reflect.deleteProperty(DataTransferItem.prototype, 'getAsFileSystemHandle');
  };
  const app = await openApp({ initScript: noPicker, path: '/new' });
  await app.get('folder-input').setInputFiles(folder);
  await expect(app.get('file-count')).toHaveAttribute('data-value', '6');
  await app.get('endpoint-select').selectOption('new');
  await app.get('endpoint-url').fill(modelServer.url);
  await app.get('concurrency').fill('1');
  const gate = gateAfter(modelServer, 2);
  const task = await app.start();
  await task.waitForSettled(2);
  await app.kill();
  gate.open();
  modelServer.script(null);
  const again = await openApp({ initScript: noPicker });
  const reopened = await again.openTask(task.id);
  await reopened.waitForStatus('completed');
  await reopened.expectCounts({ done: 6, failed: 0 });
  expect((await reopened.download('csv')).toString('utf8')).toContain('part-1/note-5.txt');
});

test('FSA-06: ten thousand files are counted before anything is started', async ({ openApp, makeFolder }) => {
  test.slow();
  const folder = makeFolder(
    Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`f${String(index % 7)}/n-${String(index)}.txt`, 'x\n']),
    ),
  );
  const app = await openApp({ grant: folder, path: '/new' });
  await app.chooseFolder(folder);
  await expect(app.get('file-count')).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
  await expect(app.get('file-count')).toHaveAttribute('data-value', '10000');
});
