/** Prints how fast Talaria is as ratios and limits, each beside its target. Exit code 1 when one is missed. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { startBenchHost } from '../tests/perf/bench-host.mjs';
import { measureLanes } from '../tests/perf/lane-measurements.mjs';
import { measureLongRun, measureOverhead, measureScreen } from '../tests/perf/measurements.mjs';
import { measureParsing } from '../tests/perf/parsing-measurements.mjs';
import { measureResume } from '../tests/perf/resume-measurements.mjs';
import * as storage from '../tests/perf/storage-measurements.mjs';
import { BUILD_DIR, ROOT, ensureBuilt } from '../tests/support/build.mjs';
import { temporaryDir } from '../tests/support/folder.mjs';

/** @typedef {import('../tests/perf/in-browser.mjs').Finding} Finding */

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @type {Record<string, (host: import('../tests/perf/bench-host.mjs').BenchHost) => Promise<Finding[]>>} */
const MEASUREMENTS = {
  commits: storage.measureCommits,
  growth: storage.measureGrowth,
  groups: storage.measureGroups,
  streams: storage.measureStreams,
  kinds: storage.measureKinds,
  resume: (host) => measureResume(host, 1_000),
  'resume-10k': (host) => measureResume(host, 10_000),
  'resume-100k': (host) => measureResume(host, 100_000),
  lanes: measureLanes,
  parsing: measureParsing,
  overhead: measureOverhead,
  screen: (host) => measureScreen(host, BUILD_DIR),
  'long-run': (host) => measureLongRun(host, 5_000),
  'longer-run': async (host) => (await measureLongRun(host, 20_000)).slice(-1),
};

async function main() {
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !(name in MEASUREMENTS));
  if (unknown.length > 0) {
    say(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(MEASUREMENTS).join(', ')}`);
    return false;
  }
  // All other pages bring what they measure along.
  const needsApp = chosen.length === 0 || chosen.includes('screen');
  if (needsApp) ensureBuilt(say);
  const pagesDir = temporaryDir('bench-pages');
  await build({
    configFile: join(ROOT, 'tests', 'perf', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: pagesDir },
  });
  const host = await startBenchHost({ appDir: needsApp ? BUILD_DIR : pagesDir, pagesDir });
  /** @type {Finding[]} */
  const findings = [];
  try {
    for (const [name, measure] of Object.entries(MEASUREMENTS)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      say(`Measuring ${name}`);
      findings.push(...(await measure(host)));
    }
  } finally {
    await host.close();
    rmSync(pagesDir, { recursive: true, force: true });
  }
  print(findings);
  return findings.every(({ passed }) => passed);
}

/** @param {Finding[]} findings */
function print(findings) {
  const rows = [
    ['', 'what', 'measured', 'target'],
    ...findings.map(({ what, measured, target, passed }) => [passed ? 'pass' : 'FAIL', what, measured, target]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  say('');
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

process.exitCode = (await main()) ? 0 : 1;
