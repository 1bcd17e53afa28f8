import { expect, type Locator, type Page } from '@playwright/test';
import { dropFolder } from './browser.mjs';
import { TaskPage } from './task-page';

export interface TaskWish {
  /** A folder on the disk; null takes the sample folder. */
  readonly folder: string | null;
  /** Base URL of a model server, or `built-in`: the engine that needs none. */
  readonly endpoint: string;
  readonly model?: string;
  readonly key?: string;
  readonly instructions?: string;
  readonly concurrency?: number;
  readonly include?: string;
  readonly exclude?: string;
}

/** One tab of the app, in the words of its contract. */
export class AppPage {
  /** Uncaught errors and errors in the console, of the page and its workers. Refused requests are not among them. */
  readonly problems: string[] = [];
  readonly requestedUrls: string[] = [];

  constructor(
    readonly page: Page,
    readonly origin: string,
  ) {
    page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.stack || error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' || isNetworkNoise(message.text())) return;
      this.problems.push(message.text());
    });
    page.on('request', (request) => this.requestedUrls.push(request.url()));
  }

  get(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.origin + path);
  }

  async openTask(id: string): Promise<TaskPage> {
    await this.open(`/task?id=${encodeURIComponent(id)}`);
    await this.get('task-state').waitFor({ state: 'attached' });
    return new TaskPage(this, id);
  }

  /** Fills the form of a new task and stops short of starting it. */
  async newTask(wish: TaskWish): Promise<void> {
    await this.open('/new');
    await this.chooseFolder(wish.folder);
    const fields = [
      ['include', wish.include],
      ['exclude', wish.exclude],
      ['instructions', wish.instructions],
    ] as const;
    for (const [id, value] of fields) if (value !== undefined) await this.get(id).fill(value);
    await this.chooseEndpoint(wish);
    if (wish.concurrency !== undefined) await this.get('concurrency').fill(String(wish.concurrency));
  }

  async chooseFolder(folder: string | null): Promise<void> {
    if (folder === null) await this.get('folder-sample').click();
    else await dropFolder(this.page, this.get('folder-drop'), folder);
    await expect(this.get('folder-name')).not.toBeEmpty();
  }

  private async chooseEndpoint(wish: TaskWish): Promise<void> {
    await this.get('endpoint-select').selectOption(wish.endpoint === 'built-in' ? 'built-in' : 'new');
    if (wish.endpoint === 'built-in') return;
    await this.get('endpoint-url').fill(wish.endpoint);
    if (wish.model !== undefined) await this.get('endpoint-model').fill(wish.model);
    if (wish.key !== undefined) await this.get('endpoint-key').fill(wish.key);
  }

  /** Fills in the form of a new endpoint, and leaves it open. */
  async fillEndpoint({ url, model, key = '' }: { url: string; model: string; key?: string }): Promise<void> {
    await this.open('/endpoints');
    await this.page.getByRole('button', { name: 'Add an endpoint' }).first().click();
    await this.get('endpoint-url').fill(url);
    await this.get('endpoint-model').fill(model);
    if (key !== '') await this.get('endpoint-key').fill(key);
  }

  async start(): Promise<TaskPage> {
    await this.get('start').click();
    await this.page.waitForURL(/\/task\?id=/);
    await this.get('task-state').waitFor({ state: 'attached' });
    const id = new URL(this.page.url()).searchParams.get('id');
    if (!id) throw new Error('The address of a started task names it.');
    return new TaskPage(this, id);
  }

  async startTask(wish: TaskWish): Promise<TaskPage> {
    await this.newTask(wish);
    return this.start();
  }

  /** Waits until the service worker has everything that offline use needs. */
  async waitForOfflineReady(): Promise<void> {
    await expect(this.get('offline-ready')).toBeVisible({ timeout: 30_000 });
  }
}

/** What the browser itself prints for refused, missing or cut requests: tests of bad networks cause it on purpose. */
function isNetworkNoise(text: string): boolean {
  return /Failed to load resource|net::ERR_|blocked by CORS policy/.test(text);
}
