/** Finds a Chromium for the browser tests, or installs one. Run by itself it prints where it is. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { findChromium } from './chromium.mjs';

const HELP = `No Chromium was found, and none could be installed. Do one of these, then try again:
  - install Chrome or Chromium (Debian, Ubuntu: sudo apt-get install chromium)
  - npx playwright install chromium
  - set CHROME_PATH to the executable of a Chrome or Chromium that you have`;

/**
 * @param {(line: string) => void} say told what is being tried
 * @returns {string} the path of an executable; throws with advice when there is none and none can be had
 */
export function ensureChromium(say = () => undefined) {
  const named = process.env.CHROME_PATH;
  if (named && !existsSync(named)) throw new Error(`CHROME_PATH points to ${named}, where there is no file.`);
  for (const { what, attempt } of [{ what: '', attempt: () => undefined }, ...waysToInstall()]) {
    if (what) say(`No Chromium yet: ${what}`);
    attempt();
    const found = findChromium();
    if (found) return found;
  }
  throw new Error(HELP);
}

/** Debian's package comes first where it can be had: it brings the system libraries that a mere download lacks. */
function waysToInstall() {
  const ways = [
    { what: "trying Playwright's download", attempt: () => run('npx', ['playwright', 'install', 'chromium'], 180_000) },
  ];
  if (isDebian() && process.getuid?.() === 0) {
    ways.unshift({
      what: "trying Debian's package",
      attempt: () => {
        run('apt-get', ['update', '-q'], 300_000);
        run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'], 900_000);
      },
    });
  }
  return ways;
}

/** @param {string} command @param {string[]} args @param {number} limitMs */
function run(command, args, limitMs) {
  spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: limitMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function isDebian() {
  return (
    existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  try {
    console.log(ensureChromium(console.error));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
