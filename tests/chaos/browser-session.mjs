/** One profile with its browser, which may be killed, left, frozen and started again, and the tab that the app is in. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { seedProfile, startChromium } from '../support/browser.mjs';
import { temporaryDir } from '../support/folder.mjs';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').BrowserContext} BrowserContext
 */

const LOAD_LIMIT_MS = 60_000;
const CRASH_LIMIT_MS = 20_000;
const END_LIMIT_MS = 15_000;

export class BrowserSession {
  /** @type {string} */
  #origin;
  /** @type {Set<string>} folders that may be read and written */
  #granted;
  #profile = temporaryDir('chaos-profile');
  /** @type {Awaited<ReturnType<typeof startChromium>> | null} */
  #started = null;
  /** @type {Browser | null} */
  #browser = null;
  /** @type {Page | null} */
  #tab = null;
  #offlines = 0;

  /** @param {string} origin @param {Iterable<string>} granted */
  constructor(origin, granted) {
    this.#origin = origin;
    this.#granted = new Set(granted);
    // The page on which Chromium lets a tab be frozen.
    mkdirSync(this.#profile, { recursive: true });
    writeFileSync(join(this.#profile, 'Local State'), JSON.stringify({ internal_only_uis_enabled: true }));
  }

  /** The tab that the app is in. */
  get tab() {
    if (!this.#tab) throw new Error('The browser is not running.');
    return this.#tab;
  }

  async start() {
    seedProfile(this.#profile, this.#origin, [...this.#granted]);
    this.#started = await startChromium(this.#profile, 'about:blank', ['--remote-debugging-port=0']);
    await this.#attach();
    await this.openTab();
  }

  async kill() {
    this.#tab = null;
    await this.#started?.kill();
    await this.#detach();
    this.#started = null;
  }

  /** An orderly end, as by closing the last window. */
  async quit() {
    this.#tab = null;
    const session = await this.#browser?.newBrowserCDPSession();
    await session?.send('Browser.close').catch(() => undefined);
    await this.#started?.exited(END_LIMIT_MS);
    await this.#detach();
    this.#started = null;
  }

  /** Kills it and deletes the profile. */
  async dispose() {
    await this.kill();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** @param {string} folder */
  isGranted(folder) {
    return this.#granted.has(folder);
  }

  /** @param {string} folder counts from the next start */
  grant(folder) {
    this.#granted.add(folder);
  }

  /** @param {string} folder counts from the next start */
  revoke(folder) {
    this.#granted.delete(folder);
  }

  /** Opens the app in a tab of its own; every other tab, crashed ones too, is closed after `between`. @param {() => Promise<void>} [between] */
  async openTab(between = async () => undefined) {
    const context = this.#context();
    const tab = await context.newPage();
    this.#tab = tab;
    await this.goTo('/');
    await between();
    for (const other of context.pages()) if (other !== tab) await inTime(other.close(), CRASH_LIMIT_MS);
  }

  /** The browser stays, with an empty tab. */
  async closeTab() {
    const { tab } = this;
    this.#tab = null;
    await this.#context().newPage();
    await inTime(tab.close(), CRASH_LIMIT_MS);
  }

  /** @param {string} path @returns {Promise<boolean>} whether the app is there; what is left of its tab otherwise */
  async goTo(path) {
    return this.tab.goto(this.#origin + path, { timeout: LOAD_LIMIT_MS, waitUntil: 'load' }).then(
      () => true,
      () => false,
    );
  }

  /**
   * The tab goes to another site, which puts the app into the back/forward cache.
   * @param {string} url @param {() => Promise<void>} there
   * @returns {Promise<boolean>} whether the app came back out of the cache
   */
  async goElsewhereAndBack(url, there) {
    const { tab } = this;
    await inTime(
      tab.evaluate(() => Reflect.set(window, 'wasKept', true)),
      CRASH_LIMIT_MS,
    );
    await tab.goto(url, { timeout: LOAD_LIMIT_MS }).catch(() => undefined);
    await there();
    // A page that comes from the cache does not load again.
    await tab.goBack({ waitUntil: 'commit', timeout: LOAD_LIMIT_MS }).catch(() => undefined);
    if (!tab.url().startsWith(this.#origin)) await this.goTo('/');
    return tab.evaluate(() => 'wasKept' in window).catch(() => false);
  }

  /** Crashes the tab from within. */
  async crashTab() {
    const tab = this.tab;
    const crashed = tab.waitForEvent('crash', { timeout: CRASH_LIMIT_MS }).catch(() => undefined);
    const session = await this.#context().newCDPSession(tab);
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  }

  /** Kills every process that pages run in, as a system without memory does. */
  async killRenderers() {
    const crashed = this.tab.waitForEvent('crash', { timeout: CRASH_LIMIT_MS }).catch(() => undefined);
    const session = await this.#browser?.newBrowserCDPSession();
    const told = await session?.send('SystemInfo.getProcessInfo');
    for (const { type, id } of told?.processInfo ?? []) {
      if (type !== 'renderer') continue;
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await crashed;
    await session?.detach().catch(() => undefined);
  }

  async killWorkers() {
    for (const worker of this.tab.workers()) await inTime(worker.evaluate('self.close()'), 3_000);
  }

  /**
   * Freezes the tab by Chromium's own hand while `meanwhile` goes on. Nothing may be attached to a tab that is to be
   * frozen, so the page that does it is told to do so a moment later.
   * @param {() => Promise<void>} meanwhile
   */
  async freeze(meanwhile) {
    const discards = await this.#context().newPage();
    await discards.goto('chrome://discards/');
    const row = discards.locator('tr', { hasText: `${this.#origin}/` }).first();
    const link = row.locator('[is="action-link"]', { hasText: 'Freeze' });
    await link.waitFor({ state: 'attached', timeout: LOAD_LIMIT_MS });
    await link.evaluate((element) => {
      setTimeout(() => {
        if (element instanceof HTMLElement) element.click();
      }, 400);
    });
    await this.#detach();
    await meanwhile();
    await this.#attach();
    const pages = this.#context().pages();
    await pages.find((page) => page.url().startsWith('chrome://discards'))?.close();
    this.#tab = pages.find((page) => page.url().startsWith(this.#origin)) ?? null;
    if (this.#tab) await inTime(this.#tab.bringToFront(), CRASH_LIMIT_MS);
    else await this.openTab();
  }

  /** Stops every process of the browser, as a computer that sleeps does. @param {() => Promise<void>} meanwhile */
  async sleep(meanwhile) {
    this.#started?.signal('SIGSTOP');
    try {
      await meanwhile();
    } finally {
      this.#started?.signal('SIGCONT');
    }
  }

  async goOffline() {
    this.#offlines += 1;
    await this.#context().setOffline(true);
  }

  /** Also for a browser that was started anew since. */
  async goOnline() {
    this.#offlines = Math.max(0, this.#offlines - 1);
    if (this.#offlines === 0) await this.#context().setOffline(false);
    // Whoever opened the app in vain tries again now.
    if (!this.tab.url().startsWith(this.#origin)) await this.goTo('/');
  }

  #context() {
    const context = this.#browser?.contexts()[0];
    if (!context) throw new Error('The browser is not running.');
    return context;
  }

  async #attach() {
    if (!this.#started) throw new Error('The browser is not running.');
    this.#browser = await chromium.connectOverCDP(await this.#started.debuggerUrl);
    if (this.#offlines > 0) await this.#context().setOffline(true);
  }

  async #detach() {
    const browser = this.#browser;
    this.#browser = null;
    await browser?.close();
  }
}

/** @param {Promise<unknown>} work what a dead page may never answer @param {number} limitMs */
export async function inTime(work, limitMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => undefined), over]);
  clearTimeout(timer);
}
