/**
 * A Chromium of our own, reached over CDP, that may be killed whole at any moment and started again on the same
 * profile; and ways to hand it a real folder without the native dialogs, which nobody can answer in headless mode.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('@playwright/test').Locator} Locator
 * @typedef {import('@playwright/test').BrowserContext} BrowserContext
 * @typedef {import('@playwright/test').Browser} Browser
 *
 * @typedef {object} OwnBrowser
 * @property {Browser} browser
 * @property {BrowserContext} context
 * @property {Page} page the first tab
 * @property {() => Promise<void>} kill SIGKILL to the browser and everything it started
 * @property {() => Promise<void>} close an orderly end
 */

/** Windows file time starts in 1601. */
const chromiumTime = () => String((Date.now() + 11_644_473_600_000) * 1000);

/**
 * Gives an origin read and write access to folders before the profile's browser starts. With `everyVisit` the grant
 * is back after each restart; without it only a record stays, and the person would be asked again.
 * On a profile that was used before, only these settings are replaced.
 * @param {string} userDataDir
 * @param {string} origin
 * @param {string | readonly string[]} folders absolute paths; an empty list takes every grant back
 * @param {{ everyVisit?: boolean }} [options]
 */
export function seedProfile(userDataDir, origin, folders, { everyVisit = true } = {}) {
  const paths = typeof folders === 'string' ? [folders] : folders;
  const chosen = paths.map((path) => ({
    'display-name': basename(path),
    'is-directory': true,
    path,
    readable: true,
    writable: true,
  }));
  changeExceptions(userDataDir, {
    file_system_access_chooser_data: paths.length > 0 ? exception(origin, { 'chosen-objects': chosen }) : {},
    file_system_access_extended_permission: everyVisit && paths.length > 0 ? exception(origin, 1) : {},
  });
}

/**
 * Forbids an origin to keep anything, as "block all cookies" does. For a profile whose browser is not running.
 * @param {string} userDataDir
 * @param {string} origin
 */
export function blockStorage(userDataDir, origin) {
  changeExceptions(userDataDir, { cookies: exception(origin, 2) });
}

/** @param {string} origin @param {unknown} setting */
function exception(origin, setting) {
  return { [`${origin},*`]: { last_modified: chromiumTime(), setting } };
}

/** @param {string} userDataDir @param {Record<string, unknown>} changes */
function changeExceptions(userDataDir, changes) {
  const file = join(userDataDir, 'Default', 'Preferences');
  mkdirSync(join(userDataDir, 'Default'), { recursive: true });
  const preferences = readJson(file);
  const profile = (preferences.profile ??= {});
  const settings = (profile.content_settings ??= {});
  settings.exceptions = { ...settings.exceptions, ...changes };
  writeFileSync(file, JSON.stringify(preferences));
}

/** @param {string} file @returns {Record<string, any>} */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** @type {Set<number>} process groups still alive; none may outlive this process */
const alive = new Set();
process.once('exit', () => alive.forEach(killGroup));

/**
 * @param {string} userDataDir
 * @param {{ url?: string, args?: readonly string[] }} [options]
 * @returns {Promise<OwnBrowser>}
 */
export async function ownBrowser(userDataDir, { url = 'about:blank', args = [] } = {}) {
  const started = await startChromium(userDataDir, url, ['--remote-debugging-port=0', ...args]);
  const browser = await chromium.connectOverCDP(await started.debuggerUrl);
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    browser,
    context,
    page,
    async kill() {
      await started.kill();
      await browser.close();
    },
    async close() {
      const session = await browser.newBrowserCDPSession();
      await session.send('Browser.close').catch(() => undefined);
      await started.exited(10_000);
      await browser.close();
    },
  };
}

/**
 * Chromium with nothing attached to it, unless the caller connects to `debuggerUrl`.
 * @param {string} userDataDir
 * @param {string} url
 * @param {readonly string[]} [args]
 */
export async function startChromium(userDataDir, url, args = []) {
  const executable = findChromium();
  if (!executable) throw new Error('No Chromium found: set CHROME_PATH or run "npx playwright install chromium".');
  mkdirSync(userDataDir, { recursive: true });
  for (const left of ['DevToolsActivePort', 'SingletonLock', 'SingletonSocket', 'SingletonCookie'])
    rmSync(join(userDataDir, left), { force: true });
  const child = spawn(
    executable,
    [...CHROMIUM_ARGS, '--headless', '--window-size=1280,1600', `--user-data-dir=${userDataDir}`, ...args, url],
    // A group of its own, so that one signal reaches every process below; a home of its own, so that nothing is left behind.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, HOME: userDataDir } },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error(`Could not start ${executable}`);
  alive.add(pid);
  /** @type {Promise<void>} */
  const gone = new Promise((resolve) => {
    child.once('exit', () => {
      alive.delete(pid);
      resolve();
    });
  });
  let log = '';
  /** @type {Promise<string>} */
  const debuggerUrl = new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      log = (log + text).slice(-20_000);
      const found = /DevTools listening on (ws:\S+)/.exec(log);
      if (found?.[1]) resolve(found[1]);
    });
    void gone.then(() => reject(new Error(`Chromium ended before it could be reached:\n${log}`)));
  });
  debuggerUrl.catch(() => undefined);
  const kill = async () => {
    killGroup(pid);
    await gone;
  };
  return {
    debuggerUrl,
    kill,
    /** To the browser and everything it started. @param {'SIGSTOP' | 'SIGCONT'} name */
    signal(name) {
      process.kill(-pid, name);
    },
    /** Waits for an orderly end, and kills when it does not come. @param {number} limitMs */
    async exited(limitMs) {
      const timer = setTimeout(() => killGroup(pid), limitMs);
      await gone;
      clearTimeout(timer);
      killGroup(pid);
    },
  };
}

/** @param {number} pid the process that we started; it leads its own group */
function killGroup(pid) {
  try {
    if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

/**
 * A true drag of a folder from the disk: the page gets a real FileSystemDirectoryHandle from getAsFileSystemHandle().
 * @param {Page} page
 * @param {Locator} target
 * @param {string} folder absolute path
 */
export async function dropFolder(page, target, folder) {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('The drop target is not on the screen.');
  const session = await page.context().newCDPSession(page);
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [folder], dragOperationsMask: 1 },
    });
  }
  await session.detach();
}

/**
 * For `addInitScript`: showDirectoryPicker() waits for a drop of the folder anywhere on the page instead of opening
 * the native dialog. The app's own code stays as it is.
 */
export function pickerStub() {
  /** @type {{ resolve: (handle: unknown) => void, reject: (error: unknown) => void } | null} */
  let waiting = null;
  Object.defineProperty(window, 'showDirectoryPicker', {
    value: () =>
      navigator.userActivation.isActive
        ? new Promise((resolve, reject) => {
            waiting = { resolve, reject };
          })
        : Promise.reject(new DOMException('Must be handling a user gesture', 'SecurityError')),
  });
  addEventListener(
    'dragover',
    (event) => {
      if (!waiting) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  addEventListener(
    'drop',
    (event) => {
      const item = /** @type {any} */ (event.dataTransfer?.items[0]);
      if (!waiting || !item) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      item.getAsFileSystemHandle().then(waiting.resolve, waiting.reject);
      waiting = null;
    },
    true,
  );
}
