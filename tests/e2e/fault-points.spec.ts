import type { Page, Worker } from '@playwright/test';
import { FAULT_POINTS, type FaultPoint } from '../../src/lib/core/fault-points';
import {
  agentOf,
  askAgent,
  isOwned,
  rowsIn,
  standStillAtStop,
  startAlike,
  stoodStill,
  type Fault,
  type StoredTask,
} from '../support/agent-calls';
import { fileAsked } from '../support/asked.mjs';
import { expect, test, type RunningApp } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import type { ModelServer } from '../support/model-server-types';

const FILES = 3;
const SECTIONS = 4;
const CONCURRENCY = 2;

/** Where the first time would be too early to have anything to lose. */
const NTH: Partial<Record<FaultPoint, number>> = {
  'before-request': 3,
  'mid-stream': 5,
  'after-response': 2,
  'before-commit': 6,
  'after-commit': 6,
};

test.describe.configure({ timeout: 120_000 });

/** A task that nobody disturbs, and the folder, server and browser it ran in. */
class Stage {
  private runs = 0;

  private constructor(
    readonly app: RunningApp,
    readonly server: ModelServer,
    readonly folder: string,
    readonly model: StoredTask,
    readonly report: string,
  ) {}

  static async set(app: RunningApp, server: ModelServer, folder: string): Promise<Stage> {
    const wish = { folder, endpoint: server.url, concurrency: CONCURRENCY, instructions: 'Run 0.' };
    const first = await app.startTask(wish);
    await first.waitForStatus('completed');
    await expect(app.get('output')).toHaveAttribute('data-output', 'written');
    const worker = await agentOf(app.page);
    const [model] = await rowsIn<StoredTask>(worker, 'tasks');
    const report = reportIn(folder, first.id);
    expect(report).toContain('3 of 3 files');
    if (!model) throw new Error('the task is not stored');
    return new Stage(app, server, folder, model, report);
  }

  /** Starts a task that fails at `fault`; `meanwhile` is told its worker and gives the page that goes on with it. */
  async disturb(page: Page, fault: Fault, meanwhile: (worker: Worker) => Promise<Page>): Promise<Page> {
    this.server.forget();
    const worker = await agentOf(page);
    // Other words for the model each time, or it would find the answers of the last instead of asking.
    this.runs += 1;
    const id = await startAlike(worker, this.model, `Run ${this.runs}.`, fault);
    const next = await meanwhile(worker);
    const { task, clicks } = await this.finished(next, id);
    expect(clicks, fault.point).toBe(fault.how === 'throw' ? 1 : 0);
    expect(task, fault.point).toMatchObject({ status: 'completed', counts: { done: FILES, failed: 0 } });
    expect(reportIn(this.folder, id), fault.point).toBe(this.report);
    expect(task.recovery?.repeated ?? 0, fault.point).toBe(0);
    const contents = this.server.requests.map(({ content }) => content);
    const asked = new Set(contents);
    const files = [...asked].filter((content) => fileAsked(content) !== null);
    expect(files, fault.point).toHaveLength(FILES);
    // A defect in a step costs its file until the click: a report was written without it, and is written anew.
    const reports = fault.how === 'throw' ? [SECTIONS, 2 * SECTIONS] : [SECTIONS];
    expect(reports, fault.point).toContain(asked.size - FILES);
    expect(contents.length, fault.point).toBeLessThanOrEqual(asked.size + CONCURRENCY);
    return next;
  }

  /** The task when nothing is left to do, with the one click that a defect may cost. */
  private async finished(page: Page, id: string): Promise<{ task: StoredTask; clicks: number }> {
    // Not told by the epoch: a task that is taken over is paused for a moment more.
    const clickedSeqs: number[] = [];
    let over: StoredTask | undefined;
    const look = async () => {
      const worker = await agentOf(page);
      const isAtWork = await isOwned(worker, id);
      const task = (await rowsIn<StoredTask>(worker, 'tasks')).find((each) => each.id === id);
      if (!isAtWork && task?.status === 'completed' && task.counts.failed === 0 && task.output === 'written')
        over = task;
      else if (task && !isAtWork && needsPerson(task) && task.seq !== clickedSeqs.at(-1)) {
        expect(clickedSeqs, 'a defect that shows once costs one click').toEqual([]);
        clickedSeqs.push(task.seq);
        await askAgent(worker, 'retryFailed', id);
      }
      return over !== undefined;
    };
    // A worker that ends while it is asked answers nothing: the next one is asked again.
    await expect.poll(() => look().catch(rethrowUnlessClosed), { timeout: 20_000, intervals: [50] }).toBe(true);
    if (!over) throw new Error('it is not over');
    return { task: over, clicks: clickedSeqs.length };
  }
}

function needsPerson({ status, reason, counts, output }: StoredTask): boolean {
  if (status === 'completed') return output === 'failed' || (counts.failed > 0 && output === 'written');
  return status === 'failed' || (status === 'paused' && reason === 'attention');
}

function rethrowUnlessClosed(error: unknown): boolean {
  if (error instanceof Error && /closed|crashed|context was destroyed/i.test(error.message)) return false;
  throw error;
}

function reportIn(folder: string, id: string): string {
  return (
    outputsIn(folder)
      .find(({ slug }) => slug.endsWith(id.slice(0, 6)))
      ?.report.replace(/Run \d+\./, 'Run.') ?? ''
  );
}

function faultAt(point: FaultPoint, how: Fault['how']): Fault {
  return { point, nth: NTH[point] ?? 1, how };
}

test('a defect at every fault point costs one click and no finished request', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(FILES));
  const stage = await Stage.set(await openApp({ grant: folder }), modelServer, folder);
  const { page } = stage.app;
  for (const point of FAULT_POINTS) {
    await test.step(point, () => stage.disturb(page, faultAt(point, 'throw'), () => Promise.resolve(page)));
  }
});

test('a worker ended at every fault point is followed by another that says the same', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(FILES));
  const stage = await Stage.set(await openApp({ grant: folder }), modelServer, folder);
  const { page } = stage.app;
  for (const point of FAULT_POINTS) {
    await test.step(point, () =>
      stage.disturb(page, faultAt(point, 'stop'), async (worker) => {
        await expect.poll(() => page.workers().includes(worker), { intervals: [50] }).toBe(false);
        return page;
      }),
    );
  }
});

test('a renderer killed at every fault point is no loss to the next page', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(FILES));
  const stage = await Stage.set(await openApp({ grant: folder }), modelServer, folder);
  let { page } = stage.app;
  for (const point of FAULT_POINTS) {
    page = await test.step(point, async () => {
      await standStillAtStop(await agentOf(page));
      return stage.disturb(page, faultAt(point, 'stop'), async (worker) => {
        await stoodStill(worker);
        return crashed(page, stage.app);
      });
    });
  }
});

/** Kills the page's process; resolves to another page of the app. */
async function crashed(page: Page, app: RunningApp): Promise<Page> {
  const next = await page.context().newPage();
  const session = await page.context().newCDPSession(page);
  const gone = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await gone;
  await page.close();
  await next.goto(app.origin);
  return next;
}
