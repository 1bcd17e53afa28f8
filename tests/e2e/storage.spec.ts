import { blockStorage } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';

test('IDB-08: with storage forbidden the app opens and says that nothing can be kept', async ({
  openApp,
  profile,
  app: { origin },
  allowProblems,
}) => {
  allowProblems(/Access to storage is not allowed|denied for this document|The user denied permission/);
  blockStorage(profile, origin);
  const app = await openApp();
  expect(await app.page.evaluate(openDatabase)).toBe('refused');
  await expect(app.page.getByRole('navigation').first()).toBeVisible();
  await expect(app.page.getByRole('alert').or(app.page.getByRole('status')).first()).toContainText(
    /stor|keep|kept|sav/i,
  );
  for (const path of ['/new', '/endpoints', '/storage', '/settings', '/help']) {
    await app.open(path);
    await expect(app.page.getByRole('heading').first()).toBeVisible();
  }
});

function openDatabase(): Promise<'opened' | 'refused'> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open('probe');
      request.onsuccess = () => resolve('opened');
      request.onerror = () => resolve('refused');
    } catch {
      resolve('refused');
    }
  });
}
