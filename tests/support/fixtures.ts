import { test as base, expect, type Page } from '@playwright/test';
import { rmSync } from 'node:fs';
import { startStaticHost } from '../../scripts/static-host.mjs';
import { AppPage } from './app-page';
import { answerNamingFile } from './asked.mjs';
import { ownBrowser, seedProfile } from './browser.mjs';
import { BUILD_DIR } from './build.mjs';
import { makeFolder, removeFolder, temporaryDir } from './folder.mjs';
import { freePort } from './free-port';
import { llamaPaths, startLlamaServer, type LlamaServer } from './llama-server';
import { startModelServer } from './model-server.mjs';
import type { ModelServer, ModelServerOptions } from './model-server-types';

export { expect };

export interface OpenOptions {
  /** Folders that the app may read and write without asking, at every visit. Set once, before the profile's first start. */
  readonly grant?: string | readonly string[];
  /** @default '/' */
  readonly path?: string;
  /** Another host than the worker's own. */
  readonly origin?: string;
  readonly initScript?: () => void;
  /** Runs before the app is opened for the first time. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly args?: readonly string[];
}

/** A running browser with the app open in its first tab. */
export interface RunningApp extends AppPage {
  newTab(path?: string): Promise<AppPage>;
  /** SIGKILL to the whole browser. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

interface Fixtures {
  modelServer: ModelServer;
  startServer: (options?: ModelServerOptions) => Promise<ModelServer>;
  /** A real llama-server, stopped with the test; skips the test, and says so, where there is none. */
  startLlama: (flags?: readonly string[]) => Promise<LlamaServer>;
  makeFolder: typeof makeFolder;
  /** A user data directory for this test's browsers. */
  profile: string;
  /** Starts the browser on the test's profile; after `kill` or `close` it may be called again. */
  openApp: (options?: OpenOptions) => Promise<RunningApp>;
  /** Lets a test that provokes errors of the page say which. */
  allowProblems: (pattern: RegExp) => void;
}

interface WorkerFixtures {
  /** The built app on a free port. */
  app: { readonly origin: string };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  app: [
    async ({}, use) => {
      const host = await startStaticHost({ dir: BUILD_DIR });
      await use({ origin: host.url });
      await host.close();
    },
    { scope: 'worker' },
  ],

  startServer: async ({}, use) => {
    const servers: ModelServer[] = [];
    await use(async (options = {}) => {
      const server = await startModelServer({ answer: answerNamingFile, ...options });
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.stop();
  },

  modelServer: async ({ startServer }, use) => use(await startServer()),

  startLlama: async ({}, use, info) => {
    const servers: LlamaServer[] = [];
    await use(async (flags = []) => {
      const paths = llamaPaths();
      info.skip(paths === null, 'set TALARIA_LLAMA_SERVER (the program) and TALARIA_GGUF (a model file) to run this');
      if (!paths) throw new Error('skipped');
      const server = await startLlamaServer(paths, await freePort(), flags);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.stop();
  },

  makeFolder: async ({}, use) => {
    const made: string[] = [];
    await use((files, name) => {
      const folder = makeFolder(files, name);
      made.push(folder);
      return folder;
    });
    made.forEach(removeFolder);
  },

  profile: async ({}, use) => {
    const dir = temporaryDir('profile');
    await use(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  },

  allowProblems: async ({}, use, info) => {
    await use((pattern) => info.annotations.push({ type: 'allowed problem', description: pattern.source }));
  },

  // Folders are asked for so that they outlive the browser, which may still be writing into them.
  openApp: async ({ app, profile, makeFolder: _ }, use, info) => {
    const tabs: AppPage[] = [];
    const running: { stop: (() => Promise<void>) | null } = { stop: null };
    let seeded = false;
    await use(async (options = {}) => {
      const origin = options.origin ?? app.origin;
      if (!seeded && options.grant !== undefined) seedProfile(profile, origin, options.grant);
      seeded = true;
      const own = await ownBrowser(profile, { args: options.args });
      if (options.initScript) await own.context.addInitScript(options.initScript);
      const follow = (tab: AppPage) => {
        tabs.push(tab);
        return tab;
      };
      const first = follow(new AppPage(own.page, origin));
      const end = (how: () => Promise<void>) => async () => {
        running.stop = null;
        await how();
      };
      running.stop = own.close;
      await options.prepare?.(own.page);
      await first.open(options.path ?? '/');
      return Object.assign(first, {
        kill: end(own.kill),
        close: end(own.close),
        newTab: async (path = '/') => {
          const tab = follow(new AppPage(await own.context.newPage(), origin));
          await tab.open(path);
          return tab;
        },
      });
    });
    if (running.stop && info.status !== info.expectedStatus) await keepScreenshots(tabs, info);
    await running.stop?.();
    const allowed = info.annotations
      .filter(({ type }) => type === 'allowed problem')
      .map((one) => one.description ?? '');
    const problems = tabs.flatMap((tab) => tab.problems);
    expect(problems.filter((text) => !allowed.some((pattern) => new RegExp(pattern).test(text)))).toEqual([]);
  },
});

async function keepScreenshots(tabs: readonly AppPage[], info: { outputPath(name: string): string }): Promise<void> {
  for (const [index, tab] of tabs.entries()) {
    if (tab.page.isClosed()) continue;
    await tab.page.screenshot({ path: info.outputPath(`tab-${index}.png`) }).catch(() => undefined);
  }
}
