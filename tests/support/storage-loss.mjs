/** Taking a page's storage away under it, as people, browsers and full disks do. */

/** @import { CDPSession, Page } from '@playwright/test' */

/** @param {Page} page */
async function session(page) {
  return page.context().newCDPSession(page);
}

/**
 * What "clear site data" does, or a part of it.
 * @param {Page} page
 * @param {string} origin
 * @param {'all' | 'indexeddb' | 'file_systems'} what
 */
export async function clearStorage(page, origin, what) {
  const cdp = await session(page);
  await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: what });
}

/**
 * Room for the origin, in bytes; lifted by the returned function.
 * @param {Page} page
 * @param {string} origin
 * @param {number} quotaBytes
 */
export async function limitStorage(page, origin, quotaBytes) {
  const cdp = await session(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: quotaBytes });
  return async () => {
    await cdp.send('Storage.overrideQuotaForOrigin', { origin });
  };
}
