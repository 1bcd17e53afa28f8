import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const ORIGIN = 'http://localhost:4173';
const CHUNK = '/_app/immutable/chunks/same.js';

vi.mock('$service-worker', () => ({
  build: [CHUNK, '/_app/immutable/entry/start.new.js'],
  files: ['/sample/index.json'],
  prerendered: ['/', '/new'],
  version: 'two',
}));

type Handler = (event: object) => void;

/** Stores of answers by path, under the name of each cache. */
const stores = new Map<string, Map<string, Response>>();
const handlers = new Map<string, Handler>();
const fetched: string[] = [];
let serve: (path: string) => Response;
let skipped = 0;
let claimed = 0;

const fakeCaches = {
  open: (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return Promise.resolve({
      put: (path: string, response: Response) => Promise.resolve(void store.set(path, response)),
      match: (path: string) => Promise.resolve(store.get(path)),
    });
  },
  keys: () => Promise.resolve([...stores.keys()]),
  delete: (name: string) => Promise.resolve(stores.delete(name)),
  match: (path: string) => Promise.resolve([...stores.values()].map((store) => store.get(path)).find(Boolean)),
};

beforeEach(async () => {
  stores.clear();
  handlers.clear();
  fetched.length = 0;
  skipped = 0;
  claimed = 0;
  serve = (path) => new Response(`new ${path}`);
  vi.stubGlobal('self', {
    location: { origin: ORIGIN },
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    skipWaiting: () => Promise.resolve(void (skipped += 1)),
    clients: { claim: () => Promise.resolve(void (claimed += 1)) },
  });
  vi.stubGlobal('caches', fakeCaches);
  vi.stubGlobal('fetch', (asked: string | { url: string }) => {
    const path = typeof asked === 'string' ? asked : asked.url;
    fetched.push(path);
    return Promise.resolve(serve(path));
  });
  vi.resetModules();
  await import('./index');
});

afterEach(() => vi.unstubAllGlobals());

/** Fires an event that work may hang on to, and waits for that work. */
async function fire(type: string, fields: object = {}): Promise<void> {
  const works: Promise<unknown>[] = [];
  handlers.get(type)?.({ ...fields, waitUntil: (work: Promise<unknown>) => works.push(work) });
  await Promise.all(works);
}

/** What the worker answers to a request; null when it leaves the request alone. */
async function answerTo(url: string, fields: { method?: string; mode?: string } = {}): Promise<string | null> {
  const answers: Promise<Response>[] = [];
  const request = { method: 'GET', mode: 'cors', url, ...fields };
  handlers.get('fetch')?.({ request, respondWith: (answer: Promise<Response>) => answers.push(answer) });
  return answers[0] ? (await answers[0]).clone().text() : null;
}

const stored = async (path: string) => stores.get('talaria-two')?.get(path)?.clone().text();

describe('install', () => {
  test('PWA-03: stores every page, every chunk and the sample', async () => {
    await fire('install');
    expect([...(stores.get('talaria-two')?.keys() ?? [])].sort()).toEqual(
      ['/', '/new', CHUNK, '/_app/immutable/entry/start.new.js', '/sample/index.json'].sort(),
    );
    expect(await stored('/new')).toBe('new /new');
  });

  test('takes a chunk of the same name from the version before, and pages never', async () => {
    const old = await fakeCaches.open('talaria-one');
    await old.put(CHUNK, new Response('kept'));
    await old.put('/new', new Response('old page'));
    await fire('install');
    expect(await stored(CHUNK)).toBe('kept');
    expect(fetched).not.toContain(CHUNK);
    expect(await stored('/new')).toBe('new /new');
  });

  test('finds pages by their file name where the host knows no other', async () => {
    serve = (path) => (['/', '/new'].includes(path) ? new Response('', { status: 404 }) : new Response(`new ${path}`));
    await fire('install');
    expect([await stored('/'), await stored('/new')]).toEqual(['new /index.html', 'new /new.html']);
  });

  test('fails as a whole when one file cannot be had, so that the version before stays', async () => {
    serve = (path) => new Response('', { status: path === '/sample/index.json' ? 500 : 200 });
    await expect(fire('install')).rejects.toThrow('/sample/index.json');
  });

  test('stores no redirect: a navigation would be refused with it', async () => {
    serve = (path) => Object.defineProperty(new Response(`new ${path}`), 'redirected', { value: true });
    await fire('install');
    expect(stores.get('talaria-two')?.get('/new')?.redirected).toBe(false);
    expect(await stored('/new')).toBe('new /new');
  });
});

describe('taking over', () => {
  test('PWA-01: open tabs keep the version before until they agree to leave it', async () => {
    await fire('install');
    await fire('message', { data: 'something else' });
    expect(skipped).toBe(0);
    await fire('message', { data: 'activate-now' });
    expect(skipped).toBe(1);
  });

  test('deletes the caches of earlier versions and nobody else’s, and serves the tabs that are open', async () => {
    for (const name of ['talaria-one', 'someone-else']) await fakeCaches.open(name);
    await fire('install');
    await fire('activate');
    expect([...stores.keys()].sort()).toEqual(['someone-else', 'talaria-two']);
    expect(claimed).toBe(1);
  });
});

describe('requests', () => {
  beforeEach(async () => {
    await fire('install');
    fetched.length = 0;
  });

  test('PWA-03: pages and files come from the cache, whatever the query of the page', async () => {
    serve = () => Response.error();
    expect(await answerTo(`${ORIGIN}/new?folder=1`, { mode: 'navigate' })).toBe('new /new');
    expect(await answerTo(ORIGIN + CHUNK)).toBe(`new ${CHUNK}`);
    expect(fetched).toEqual([]);
  });

  test.each([
    ['http://127.0.0.1:8000/v1/chat/completions', 'POST'],
    ['http://127.0.0.1:8000/v1/models', 'GET'],
    [`${ORIGIN}/v1/chat/completions`, 'POST'],
  ])('PWA-05: %s (%s) is left alone', async (url, method) => {
    expect(await answerTo(url, { method })).toBeNull();
    expect(fetched).toEqual([]);
  });

  test('what the browser threw out of the cache comes from the network', async () => {
    stores.get('talaria-two')?.delete(CHUNK);
    expect(await answerTo(ORIGIN + CHUNK)).toBe(`new ${ORIGIN}${CHUNK}`);
  });
});
