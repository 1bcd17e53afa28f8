import type { Page } from '@playwright/test';

/** A page whose renderer process was stopped by the system: nothing of it runs, its workers neither. */
export interface FrozenPage {
  thaw(): void;
}

/** Stops the process that draws the page, found by stopping one after the other and looking whether the page still answers. */
export async function freezeForReal(page: Page): Promise<FrozenPage> {
  for (const pid of await rendererPids(page)) {
    process.kill(pid, 'SIGSTOP');
    if (!(await answers(page))) return { thaw: () => process.kill(pid, 'SIGCONT') };
    process.kill(pid, 'SIGCONT');
  }
  throw new Error('no process of the browser is the one of this page');
}

/** Kills the process that draws the page, and nothing else of the browser. */
export async function killRenderer(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // Whom it crashes does not answer.
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
}

async function rendererPids(page: Page): Promise<readonly number[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

const ANSWER_WITHIN_MS = 1_000;

async function answers(page: Page): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), ANSWER_WITHIN_MS));
  return Promise.race([page.evaluate(() => true), late]);
}
