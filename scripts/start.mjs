/** `npm start`: builds the app when it is not built yet, and serves it to this machine. */
import { BUILD_DIR, ensureBuilt } from './built-app.mjs';
import { startStaticHost } from './static-host.mjs';

const DEFAULT_PORT = 4173;

const port = readPort(process.env.PORT);
const host = process.env.HOST || 'localhost';

try {
  ensureBuilt(() => console.log('Building the app. This takes a moment, and only happens after a change.'));
} catch {
  stop('The app could not be built; the reason is shown above. Was `npm ci` run after the last update?');
}

try {
  const { url, close } = await startStaticHost({ dir: BUILD_DIR, port, host });
  console.log(`Talaria is ready: ${url}`);
  console.log('Open this address in Chrome or Edge, and start a task with the sample folder or one of your own.');
  console.log(
    host === 'localhost'
      ? 'Only this machine can reach it. Press Ctrl+C to stop; tasks go on where they were when it is started again.'
      : 'Other machines can reach it, but browsers there offer folders and storage over https only. Press Ctrl+C to stop.',
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close().then(() => process.exit(0)));
} catch (error) {
  stop(whyNot(error));
}

/** @param {string | undefined} typed @returns {number} */
function readPort(typed) {
  if (!typed) return DEFAULT_PORT;
  const number = Number(typed);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  return stop(`PORT must be a number from 0 to 65535, not "${typed}". For example: PORT=5000 npm start`);
}

/** @param {unknown} error */
function whyNot(error) {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is already in use, perhaps by another Talaria. Choose another one: PORT=${port + 1} npm start`;
  }
  if (code === 'EACCES') return `Port ${port} may not be used by you. Choose one above 1023: PORT=4173 npm start`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST=${host} is not an address of this machine.`;
  return error instanceof Error ? error.message : String(error);
}

/** @param {string} reason @returns {never} */
function stop(reason) {
  console.error(reason);
  process.exit(1);
}
