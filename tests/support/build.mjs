/** The built app, made when it is missing or older than its sources. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const BUILD_DIR = join(ROOT, 'build');

const SOURCES = ['src', 'static', 'svelte.config.js', 'vite.config.ts', 'package-lock.json'];

/** @param {(line: string) => void} [say] told once when a build is made */
export function ensureBuilt(say = () => undefined) {
  const made = join(BUILD_DIR, 'index.html');
  if (existsSync(made) && statSync(made).mtimeMs >= newestSource()) return;
  say('Building the app');
  execFileSync(process.execPath, [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function newestSource() {
  return Math.max(...SOURCES.map((name) => newestBelow(join(ROOT, name))));
}

/** @param {string} path @returns {number} */
function newestBelow(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path)
    .filter((name) => !/\.test\.ts$|\.conformance\.ts$/.test(name))
    .reduce((newest, name) => Math.max(newest, newestBelow(join(path, name))), 0);
}
