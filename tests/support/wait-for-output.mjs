/**
 * Waits on a task's page until its report and results are in the folder, whole.
 * @param {import('@playwright/test').Page} page
 * @param {number} limitMs
 */
export async function waitForOutput(page, limitMs) {
  const written = page.locator('[data-testid="output"][data-output="written"]');
  await written.waitFor({ state: 'attached', timeout: limitMs });
}
