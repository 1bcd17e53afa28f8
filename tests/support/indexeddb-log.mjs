/** What a hard kill can do to Chromium's database on the disk, done on purpose. */
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Cuts bytes off the newest log of the origin's IndexedDB, as a kill in mid write does. Chromium's next start looks fine
 * and appends behind the torn place; the start after that finds it and deletes the origin's whole database.
 * For a profile whose browser is not running. @param {string} userDataDir @param {string} origin @param {number} [bytes]
 */
export function tearNewestLog(userDataDir, origin, bytes = 3) {
  const { hostname, port } = new URL(origin);
  const folder = join(userDataDir, 'Default', 'IndexedDB', `http_${hostname}_${port}.indexeddb.leveldb`);
  const logs = readdirSync(folder)
    .filter((name) => /^\d+\.log$/.test(name))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const [newest] = logs;
  if (newest === undefined) throw new Error(`${folder} has no log`);
  const { size } = statSync(newest);
  if (size <= bytes) throw new Error(`${newest} has only ${size} bytes`);
  truncateSync(newest, size - bytes);
}
