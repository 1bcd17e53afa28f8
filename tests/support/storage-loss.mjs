/** Taking a page's storage away under it, as people and browsers do. */

/** @import { Page } from '@playwright/test' */

/**
 * What "clear site data" does, or a part of it.
 * @param {Page} page
 * @param {string} origin
 * @param {'all' | 'indexeddb' | 'file_systems'} what
 */
export async function clearStorage(page, origin, what) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: what });
}
