import type { Page } from '@playwright/test';
import type { PartialRow } from '../../src/lib/core/partial';
import type { StepRow } from '../../src/lib/core/step';
import type { TaskRow } from '../../src/lib/core/task';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { EXACT, type LlamaServer } from '../support/llama-server';
import { storedRows } from '../support/stored-rows';

/** One answer at a time, of some 1,900 tokens: a translation may be longer than what it translates. */
const ONE_SLOT = [...EXACT, '-c', '4096', '-np', '1'];
/** It goes on until its limit: the model ends its answers at once, or never. */
const NO_END = '{"logit_bias": [[2, -100], [513, -100]]}';
/** 80 % of the answer. */
const KILLED_AT = 1_500;
const FILE = 'note-0000.txt';

const WAYS = [
  ['its stream goes on meanwhile, and is taken up', 'data-reattached', 0],
  ['the server dies with it, and what was written down is gone on with', 'data-continued', 0.25],
] as const;

test.beforeEach(() => test.setTimeout(120_000));

for (const [what, how, share] of WAYS) {
  test(`a real llama-server: the browser is killed at 80 % of a long answer; ${what}`, async ({
    openApp,
    makeFolder,
    startLlama,
  }, info) => {
    const server = await startLlama(ONE_SLOT);
    const folder = makeFolder(distinctFiles(1));
    const app = await openApp({ grant: folder });
    await app.newTask({ folder, endpoint: server.url, model: server.model, concurrency: 1 });
    await app.get('template').selectOption('translate');
    await app.get('instructions').fill('German');
    await app.get('more-settings').click();
    await app.get('setting-temperature').fill('0');
    await app.get('setting-body').fill(NO_END);
    const { id } = await app.start();

    const before = await frozenAt(KILLED_AT, server);
    await expect.poll(() => keptTokens(app.page), { timeout: 30_000 }).toBeGreaterThan(before * 0.9);
    const written = Math.max(before, await keptTokens(app.page));
    await app.kill();
    server.thaw();
    const isRestarted = how === 'data-continued';
    if (isRestarted) await server.restart();

    const again = await openApp();
    const task = await again.openTask(id);
    await task.waitForStatus('completed', { timeoutMs: 60_000 });
    await expect(again.get('spared')).toHaveAttribute(how, '1');
    const [row] = await storedRows<TaskRow>(again.page, 'tasks');
    const step = (await storedRows<StepRow>(again.page, 'steps')).find(({ file }) => file?.path === FILE);
    const length = step?.usage.completionTokens ?? 0;
    const generated = (isRestarted ? written : 0) + (await server.generatedTokens());
    const repeated = generated - (row?.usage.completionTokens ?? 0);
    info.annotations.push({ type: 'tokens', description: `${String(repeated)} of ${String(length)} again` });
    expect(length).toBeGreaterThan(KILLED_AT * 1.2);
    expect(repeated).toBeLessThanOrEqual(length * share);
  });
}

/** Tokens of the first long answer when the server stands still in the middle of it. */
async function frozenAt(tokens: number, server: LlamaServer): Promise<number> {
  for (;;) {
    const seen = await server.tokensUnderWay();
    if (seen < tokens) continue;
    server.freeze();
    return seen;
  }
}

async function keptTokens(page: Page): Promise<number> {
  const rows = await storedRows<PartialRow>(page, 'partials');
  return rows[0]?.tokens ?? 0;
}
