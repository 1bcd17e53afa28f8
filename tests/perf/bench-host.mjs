/** Serves the built app and the measuring pages from one isolated origin, and takes in what they post. */
import { createServer } from 'node:http';
import sirv from 'sirv';

/**
 * @typedef {object} BenchHost
 * @property {string} url
 * @property {Map<string, number>} marks moments that a page noted, Unix milliseconds
 * @property {() => Promise<any>} result what the page posts next
 * @property {() => Promise<void>} close
 */

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** @param {{ appDir: string, pagesDir: string }} dirs @returns {Promise<BenchHost>} */
export async function startBenchHost({ appDir, pagesDir }) {
  const app = sirv(appDir, { extensions: ['html'] });
  const pages = sirv(pagesDir);
  /** @type {Map<string, number>} */
  const marks = new Map();
  /** @type {(posted: { value?: unknown, error?: string }) => void} */
  let deliver = () => undefined;

  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
    if (request.method === 'POST') {
      const at = Date.now();
      const body = await json(request);
      if (request.url === '/mark') marks.set(body.name, at);
      else deliver(body);
      response.writeHead(204).end();
      return;
    }
    const missing = () => {
      response.writeHead(404).end();
    };
    if (request.url?.startsWith('/bench/')) {
      request.url = request.url.slice('/bench'.length);
      pages(request, response, missing);
    } else app(request, response, missing);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  return {
    url: `http://localhost:${address.port}`,
    marks,
    result: () =>
      new Promise((resolve, reject) => {
        deliver = (posted) => (posted.error === undefined ? resolve(posted.value) : reject(new Error(posted.error)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<any>} */
async function json(request) {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return JSON.parse(text);
}
