import { build, files, prerendered, version } from '$service-worker';
import { precachedPath } from './precache-match';

declare const self: ServiceWorkerGlobalScope;

const CACHE_PREFIX = 'talaria-';
const CACHE = `${CACHE_PREFIX}${version}`;
const PAGES: readonly string[] = prerendered;

const stored: ReadonlySet<string> = new Set([...PAGES, ...build, ...files]);

self.addEventListener('install', (event) => {
  event.waitUntil(install());
});

// No skipWaiting here: open tabs run the old version, whose files must stay until they agree to leave it.
self.addEventListener('message', (event) => {
  if (event.data === 'activate-now') event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(activate());
});

self.addEventListener('fetch', (event) => {
  const path = precachedPath(event.request, self.location.origin, stored);
  if (path !== null) event.respondWith(answer(path, event.request));
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all([...stored].map(async (path) => cache.put(path, await obtain(path))));
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** From an earlier version's cache where the name says that the content is the same, else from the network, whole. */
async function obtain(path: string): Promise<Response> {
  if (path.includes('/immutable/')) {
    const kept = await caches.match(path, { ignoreVary: true });
    if (kept) return kept;
  }
  // A plain file host knows pages by their file name only.
  const names = PAGES.includes(path) ? [path, path.endsWith('/') ? `${path}index.html` : `${path}.html`] : [path];
  for (const name of names) {
    const response = await fetch(name, { cache: 'no-cache' });
    if (response.ok) return undirected(response);
  }
  throw new Error(`could not store ${path}`);
}

/** A redirected response is refused as the answer to a navigation. */
function undirected(response: Response): Response {
  if (!response.redirected) return response;
  return new Response(response.body, { headers: response.headers, status: response.status });
}

async function answer(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(path, { ignoreVary: true })) ?? fetch(request);
}
