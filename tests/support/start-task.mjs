import { dropFolder } from './browser.mjs';

/**
 * Starts a task in the app by hand, on a new endpoint, for scripts that run without the test runner.
 * @param {import('@playwright/test').Page} page
 * @param {{ origin: string, folder: string, endpoint: string, concurrency: number }} wish
 * @returns {Promise<string>} the task's address
 */
export async function startTask(page, { origin, folder, endpoint, concurrency }) {
  await page.goto(`${origin}/new`);
  const drop = page.getByTestId('folder-drop');
  await drop.waitFor();
  await dropFolder(page, drop, folder);
  await page.getByTestId('folder-name').waitFor();
  await page.getByTestId('endpoint-select').selectOption('new');
  await page.getByTestId('endpoint-url').fill(endpoint);
  await page.getByTestId('concurrency').fill(String(concurrency));
  await page.getByTestId('start').click();
  await page.waitForURL(/\/task\?id=/);
  await page.getByTestId('task-state').waitFor({ state: 'attached' });
  return page.url();
}
