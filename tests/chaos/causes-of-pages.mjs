/** What happens to a page, its worker, its processes and the whole browser. */
import { setTimeout as pass } from 'node:timers/promises';

/** @import { Cause } from './causes.mjs' */

/** Until a page is frozen that is to be: it is done a moment after nothing is attached any more. */
const FREEZE_MS = 1_500;

/** @satisfies {Record<string, Cause>} */
export const pageCauses = {
  'page closed and reopened': async ({ browser, interrupted }, { forMs }) => {
    interrupted();
    await browser.closeTab();
    await pass(forMs / 4);
    await browser.openTab();
  },
  'page reloaded': async ({ browser, interrupted }) => {
    interrupted();
    await browser.goTo('/');
  },
  'work moved to another tab': async ({ browser, interrupted }, { forMs }) => {
    interrupted();
    await browser.openTab(() => pass(forMs / 4));
  },
  'worker killed': async ({ browser, interrupted }) => {
    interrupted();
    await browser.killWorkers();
  },
  'page crashed': async ({ browser, interrupted }) => {
    interrupted();
    await browser.crashTab();
    await browser.openTab();
  },
  'renderer killed': async ({ browser, interrupted }) => {
    interrupted();
    await browser.killRenderers();
    await browser.openTab();
  },
  'browser killed': async ({ browser, interrupted }) => {
    interrupted();
    await browser.kill();
    await browser.start();
  },
  'left for the back/forward cache and back': async ({ browser, elsewhere, evidence, interrupted }, { forMs }) => {
    interrupted();
    if (await browser.goElsewhereAndBack(elsewhere, () => pass(forMs / 2))) evidence.took('came back from the cache');
  },
  'page frozen and thawed': async ({ asked, browser, evidence, interrupted }, { forMs }) => {
    interrupted();
    await browser.freeze(async () => {
      await pass(FREEZE_MS);
      const before = asked();
      await pass(forMs);
      if (asked() === before) evidence.took('stood still while frozen');
    });
  },
  'computer asleep': async ({ browser, interrupted }, { forMs }) => {
    interrupted();
    await browser.sleep(() => pass(forMs));
  },
  'network offline': async ({ browser }) => {
    await browser.goOffline();
    return () => browser.goOnline();
  },
};
