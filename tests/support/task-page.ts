import { expect, type Locator } from '@playwright/test';
import type { AppPage } from './app-page';

export type Status = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';

export interface Counted {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly reused: number;
}

/** The screen of one task. */
export class TaskPage {
  constructor(
    readonly app: AppPage,
    readonly id: string,
  ) {}

  get state(): Locator {
    return this.app.get('task-state');
  }

  async waitForStatus(status: Status, { reason, timeoutMs = 30_000 }: { reason?: string; timeoutMs?: number } = {}) {
    await expect(this.state).toHaveAttribute('data-status', status, { timeout: timeoutMs });
    if (reason !== undefined) await expect(this.state).toHaveAttribute('data-reason', reason, { timeout: timeoutMs });
  }

  async status(): Promise<string> {
    return (await this.state.getAttribute('data-status')) ?? '';
  }

  async epoch(): Promise<number> {
    return Number(await this.state.getAttribute('data-epoch'));
  }

  async seq(): Promise<number> {
    return Number(await this.state.getAttribute('data-seq'));
  }

  async counts(): Promise<Counted> {
    const [done, failed, skipped, reused] = await Promise.all(
      ['count-done', 'count-failed', 'count-skipped', 'count-reused'].map((id) => this.count(id)),
    );
    return { done: done ?? 0, failed: failed ?? 0, skipped: skipped ?? 0, reused: reused ?? 0 };
  }

  private async count(id: string): Promise<number> {
    const counter = this.app.get(id);
    return (await counter.count()) === 0 ? 0 : Number(await counter.getAttribute('data-value'));
  }

  async expectCounts(wanted: Partial<Counted>): Promise<void> {
    await expect.poll(() => this.counts()).toMatchObject(wanted);
  }

  /** Files with an outcome, as the progress bar shows them. */
  async settled(): Promise<number> {
    return Number(await this.app.get('progress').getAttribute('aria-valuenow'));
  }

  async waitForSettled(atLeast: number, timeoutMs = 30_000): Promise<void> {
    await expect.poll(() => this.settled(), { timeout: timeoutMs }).toBeGreaterThanOrEqual(atLeast);
  }

  async press(button: 'pause' | 'continue' | 'cancel' | 'retry-failed' | 'grant-folder'): Promise<void> {
    await this.app.get(button).click();
  }

  /** A tab of the task: opened by its address, which the contract names. */
  async openTab(tab: 'files' | 'report' | 'activity' | 'checkpoints'): Promise<void> {
    await this.app.open(`/task?id=${encodeURIComponent(this.id)}&tab=${tab}`);
  }

  row(path: string): Locator {
    return this.app.page.locator(`[data-testid="file-row"][data-path="${path.replace(/["\\]/g, '\\$&')}"]`);
  }

  /** Looks a file up by search, as the list is virtual. */
  async expectFile(path: string, wanted: { status: string; code?: string }): Promise<void> {
    if ((await this.app.get('file-search').count()) === 0) await this.openTab('files');
    await this.app.get('file-search').fill(path);
    await expect(this.row(path)).toHaveAttribute('data-status', wanted.status);
    if (wanted.code !== undefined) await expect(this.row(path)).toHaveAttribute('data-code', wanted.code);
    await this.app.get('file-search').fill('');
  }

  /** Opens a file and gives what the detail view shows. */
  async fileDetail(path: string): Promise<Locator> {
    // On a narrow screen the detail of another file lies over the list.
    const isListFree =
      (await this.app.get('file-search').count()) > 0 && (await this.app.get('file-detail').count()) === 0;
    if (!isListFree) await this.openTab('files');
    await this.app.get('file-search').fill(path);
    await this.row(path).click();
    return this.app.get('file-detail');
  }

  async report(): Promise<Locator> {
    await this.openTab('report');
    const report = this.app.get('report');
    // Its source is shown until the renderer is there.
    await expect(report.locator('.markdown').or(report.getByTestId('shown-plain'))).toBeVisible();
    return report;
  }

  /** The text that a download menu item gives. */
  async download(item: 'md' | 'html' | 'csv' | 'jsonl' | 'zip' | 'capsule'): Promise<Buffer> {
    if ((await this.app.get('download').count()) === 0) await this.openTab('report');
    await this.app.get('download').click();
    const arriving = this.app.page.waitForEvent('download');
    await this.app.get(`download-${item}`).click();
    const stream = await (await arriving).createReadStream();
    const pieces: Uint8Array[] = [];
    for await (const piece of stream as AsyncIterable<Uint8Array>) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}
