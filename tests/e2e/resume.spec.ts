import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import type { DialectName } from '../support/model-server-types';
import { storedText } from '../support/stored-text';

/** Long enough that the browser is killed in the middle of it, however slowly this machine notices what was written. */
const WORDS = Array.from({ length: 800 }, (_, n) => `w${String(n).padStart(3, '0')}`);
const LONG = WORDS.join(' ');
const SHORT = 'A short answer.';
/** A word that is written down by the time that the browser is killed. */
const WRITTEN = 'w149';
const LEAST_SPARED = 150;

/** What an answer is gone on from, how, and the share of its tokens that may be generated again. */
const WAYS: readonly [DialectName, 'data-reattached' | 'data-continued', number][] = [
  ['llama.cpp', 'data-reattached', 0],
  ['vllm', 'data-continued', 0.25],
];

for (const [dialect, how, share] of WAYS) {
  test(`a browser that is killed in mid answer: ${dialect} generates at most ${String(share * 100)} % of it again`, async ({
    openApp,
    startServer,
    makeFolder,
    app: host,
  }) => {
    test.setTimeout(150_000);
    const server = await startServer({
      dialect,
      allowedOrigins: [host.origin],
      models: ['hermes-3'],
      contextTokens: 16_384,
      betweenMs: 40,
      tokensPerChunk: 1,
      answer: (content) => (content.includes('measured value') ? LONG : SHORT),
    });
    const folder = makeFolder(distinctFiles(1));
    const first = await openApp({ grant: folder });
    const { id } = await first.startTask({ folder, endpoint: server.url, model: 'hermes-3', concurrency: 1 });
    await expect.poll(() => storedText(first.page), { timeout: 40_000 }).toContain(WRITTEN);
    await first.kill();

    const again = await openApp();
    const task = await again.openTask(id);
    await task.waitForStatus('completed', { timeoutMs: 90_000 });
    const spared = again.get('spared');
    await expect(spared).toHaveAttribute(how, '1');
    const tokens = Number(await spared.getAttribute('data-tokens'));
    expect(tokens).toBeGreaterThanOrEqual(LEAST_SPARED);
    await expect(again.get('recovery')).toHaveAttribute('data-continued-tokens', String(tokens));
    await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(1);
    await task.fileDetail('note-0000.txt');
    await expect(again.get('file-detail')).toContainText(LONG);
    const others =
      server.requests.length - server.requests.filter(({ content }) => content.includes('measured')).length;
    const generatedForFile = server.generatedTokens - others * SHORT.split(' ').length;
    expect(generatedForFile).toBeGreaterThanOrEqual(WORDS.length);
    expect(generatedForFile).toBeLessThanOrEqual(WORDS.length * (1 + share));
  });
}
