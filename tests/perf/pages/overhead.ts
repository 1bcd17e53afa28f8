import { makeFiles, settledFiles, startAgent, startTask, CONCURRENCY, fileText } from './bench-agent';
import { benchQuery, report, until } from './bench-run';

const { endpoint, files } = benchQuery();

/** The same number of requests by the least code that can make them. */
async function bareLoop(): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < files) {
      const index = next++;
      const response = await fetch(`${endpoint}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: fileText(index) }] }),
      });
      await response.text();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return performance.now() - began;
}

report(async () => {
  const folder = await makeFiles(files);
  const bareMs = await bareLoop();
  const agent = await startAgent(
    () => new Worker(new URL('../../../src/workers/agent.worker.ts', import.meta.url), { type: 'module' }),
  );
  const began = performance.now();
  const id = await startTask(agent, folder, endpoint);
  await until(async () => (await settledFiles(id)) >= files);
  const engineMs = performance.now() - began;
  return { bareMs, engineMs, bareAgainMs: await bareLoop() };
});
