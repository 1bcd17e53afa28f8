/**
 * Serves a folder of built files over HTTP, for `npm start`, the browser tests and the demo. Files are read from disk
 * at each request, so that a build may be replaced under a running host, as a deploy does.
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sirv from 'sirv';

const IMMUTABLE = 'public,max-age=31536000,immutable';
const SECURITY = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  // The pages carry the rest of the policy in a meta tag, where this directive is not allowed.
  'Content-Security-Policy': "frame-ancestors 'none'",
};
const NOT_FOUND = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>There is no such page · Talaria</title>
<p>There is no such page. All your tasks are where they were. <a href="/">Show all tasks</a></p>
<p lang="zh-CN">没有这个页面。你的所有任务都还在原处。<a href="/">显示所有任务</a></p>
`;

/** Both loopback addresses: which of them `localhost` means differs between systems. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * @typedef {object} StaticHost
 * @property {string} url address without a trailing slash
 * @property {number} port
 * @property {() => Promise<void>} close stops at once, open connections included
 */

/**
 * @param {object} options
 * @param {string} options.dir folder to serve
 * @param {number} [options.port] 0 takes a free one
 * @param {string} [options.host] address to listen on; `localhost` means both loopback addresses and nothing else
 * @returns {Promise<StaticHost>} rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot listen
 */
export async function startStaticHost({ dir, port = 0, host = 'localhost' }) {
  const root = resolve(dir);
  const files = sirv(root, {
    dev: true,
    etag: true,
    extensions: ['html'],
    setHeaders: (response, pathname) => {
      response.setHeader('Cache-Control', pathname.startsWith('/_app/immutable/') ? IMMUTABLE : 'no-cache');
    },
  });

  /** @type {import('node:http').RequestListener} */
  const serve = (request, response) => {
    for (const [name, value] of Object.entries(SECURITY)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    files(request, response, () => void notFound(root, response));
  };

  const [first, second] = host === 'localhost' ? LOOPBACK : [host];
  const servers = [await listen(serve, port, String(first))];
  const taken = portOf(servers[0]);
  if (second !== undefined) {
    try {
      servers.push(await listen(serve, taken, second));
    } catch (error) {
      // Another program holds the other loopback address: `localhost` might reach it instead of us.
      if (codeOf(error) === 'EADDRINUSE') {
        await closeAll(servers);
        if (port === 0) return startStaticHost({ dir, port, host });
        throw error;
      }
    }
  }
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${named}:${taken}`, port: taken, close: () => closeAll(servers) };
}

/** @param {string} root @param {import('node:http').ServerResponse} response */
async function notFound(root, response) {
  const page = await readFile(join(root, '404.html'), 'utf8').catch(() => NOT_FOUND);
  response.writeHead(404, { 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-cache' }).end(page);
}

/**
 * @param {import('node:http').RequestListener} serve @param {number} port @param {string} host
 * @returns {Promise<import('node:http').Server>}
 */
function listen(serve, port, host) {
  return new Promise((done, refuse) => {
    const server = createServer(serve);
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      done(server);
    });
  });
}

/** @param {import('node:http').Server | undefined} server */
function portOf(server) {
  const address = server?.address();
  if (!address || typeof address === 'string') throw new Error('a listening server has a port');
  return address.port;
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** @param {import('node:http').Server[]} servers @returns {Promise<void>} */
async function closeAll(servers) {
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      return closed;
    }),
  );
}
