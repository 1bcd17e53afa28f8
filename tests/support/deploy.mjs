/** A second build of the app without building twice: every hashed file gets another name, as a changed source would. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { listFiles } from './folder.mjs';

const TEXT = new Set(['.html', '.js', '.mjs', '.css', '.json', '.webmanifest']);

/**
 * @param {string} from folder of a build
 * @param {string} to where the other build goes
 */
export function makeNextBuild(from, to) {
  cpSync(from, to, { recursive: true });
  const version = JSON.parse(readFileSync(join(to, '_app', 'version.json'), 'utf8')).version;
  const hashed = listFiles(join(to, '_app', 'immutable')).map((path) => basename(path));
  for (const path of listFiles(to)) {
    const file = join(to, ...path.split('/'));
    if (!TEXT.has(extname(file))) continue;
    const before = readFileSync(file, 'utf8');
    const renamed = hashed.reduce((text, name) => text.replaceAll(name, nextName(name)), before);
    const after = renamed.replaceAll(version, `${version}-next`);
    writeFileSync(file, extname(file) === '.html' ? withScriptHashes(before, after) : after);
  }
  for (const path of listFiles(join(to, '_app', 'immutable'))) {
    const file = join(to, '_app', 'immutable', ...path.split('/'));
    renameSync(file, join(file, '..', nextName(basename(file))));
  }
}

/** @param {string} name */
function nextName(name) {
  const extension = extname(name);
  return `${name.slice(0, -extension.length)}-next${extension}`;
}

/** The policy names its inline scripts by hash. @param {string} before @param {string} after */
function withScriptHashes(before, after) {
  const [old, now] = [before, after].map((html) =>
    [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
      ([, script]) =>
        `sha256-${createHash('sha256')
          .update(script ?? '')
          .digest('base64')}`,
    ),
  );
  return (old ?? []).reduce((html, hash, index) => html.replaceAll(hash, now?.[index] ?? hash), after);
}
