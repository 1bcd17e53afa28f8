/**
 * `npm test`: everything there is to check, in order, going on after a failure. The last line says how many passed
 * and failed over all of it. Names of stages as arguments run only these: `npm test -- lint unit`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './built-app.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { chaosFailedNames, playwrightFailedNames, vitestFailedNames } from './failed-names.mjs';
import { chaosCounts, checkCounts, lastLine, playwrightCounts, sumOf, vitestCounts } from './test-counts.mjs';

const LIMIT_MS = 45 * 60_000;
const reports = mkdtempSync(join(tmpdir(), 'talaria-test-'));

/** @typedef {{ name: string, run: () => import('./test-counts.mjs').Counts }} Stage */

/** @type {Stage[]} */
const STAGES = [
  {
    name: 'lint',
    run: () => checkAll(['prettier --check --log-level warn .', 'eslint .', 'knip']),
  },
  {
    name: 'types',
    run: () =>
      checkAll([
        'svelte-kit sync',
        'svelte-check --tsconfig ./tsconfig.json --fail-on-warnings',
        'tsc --noEmit -p scripts/tsconfig.json',
      ]),
  },
  { name: 'unit', run: () => vitest('unit') },
  { name: 'browser', run: () => vitest('browser') },
  { name: 'build', run: () => checkAll(['vite build --logLevel warn']) },
  { name: 'e2e', run: playwright },
  { name: 'chaos', run: chaos },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !STAGES.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`There is no stage "${unknown.join(', ')}". Stages: ${STAGES.map((stage) => stage.name).join(', ')}.`);
  process.exit(2);
}
const stages = STAGES.filter((stage) => asked.length === 0 || asked.includes(stage.name));

if (stages.some(({ name }) => ['browser', 'e2e', 'chaos'].includes(name))) {
  try {
    console.log(`Chromium: ${ensureChromium(console.log)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

/** @type {string[]} */
const failedNames = [];
const results = stages.map(({ name, run }) => {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`);
  const startMs = performance.now();
  const counts = run();
  return { name, counts, seconds: Math.round((performance.now() - startMs) / 1000) };
});
rmSync(reports, { recursive: true, force: true });

const total = sumOf(results.map(({ counts }) => counts));
console.log(`\n── summary ${'─'.repeat(63)}`);
for (const { name, counts, seconds } of results) {
  console.log(
    `${counts.failed === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${`${seconds} s`.padStart(6)}  ${lastLine(counts)}`,
  );
}
for (const name of failedNames) console.log(`failed: ${name.replace(`${ROOT}/`, '')}`);
console.log(lastLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;

/** @param {readonly string[]} commands all run, also after one has failed */
function checkAll(commands) {
  const passed = commands.map((command) => run(command.split(' ')));
  return checkCounts(passed.every(Boolean));
}

/** @param {string} project */
function vitest(project) {
  const file = join(reports, `${project}.json`);
  const passed = run([
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const report = readReport(file);
  failedNames.push(...vitestFailedNames(report));
  return vitestCounts(report, passed);
}

function playwright() {
  const file = join(reports, 'e2e.json');
  const passed = run(['playwright', 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const report = readReport(file);
  failedNames.push(...playwrightFailedNames(report));
  return playwrightCounts(report, passed);
}

/** Two minutes, always the same ones: another seed each time would test another thing each time. */
function chaos() {
  const file = join(reports, 'chaos.json');
  const args = ['--minutes', '2', '--seed', '1', '--shrink-minutes', '5', '--counts', file];
  const passed = start(process.execPath, [join('scripts', 'chaos.mjs'), ...args], {}, false);
  const report = readReport(file);
  failedNames.push(...chaosFailedNames(report));
  return chaosCounts(report, passed);
}

/**
 * @param {readonly string[]} command a program of node_modules/.bin and its arguments
 * @param {Record<string, string>} [env]
 */
function run([program = '', ...args], env = {}) {
  console.log(`$ ${[program, ...args].join(' ')}`);
  return start(join(ROOT, 'node_modules', '.bin', program), args, env, process.platform === 'win32');
}

/** @param {string} file @param {readonly string[]} args @param {Record<string, string>} env @param {boolean} shell */
function start(file, args, env, shell) {
  const ended = spawnSync(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CI: '1', ...env },
    timeout: LIMIT_MS,
    shell,
  });
  if (ended.error) console.error(ended.error.message);
  return ended.status === 0;
}

/** @param {string} file @returns {unknown} */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
