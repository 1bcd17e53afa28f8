import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../testing/fake-clock';
import { isSameServer } from './same-server';

const HOME = 'http://127.0.0.1:8000/v1';
const OTHER = 'http://[::1]:8000/v1';
const never = new AbortController().signal;

type Answers = Readonly<Record<string, unknown>>;

const MODELS = { object: 'list', data: [{ id: 'hermes', owned_by: 'me' }] };

/** A program that answers some paths with JSON and the others with 404; a function is asked anew each time. */
function program(answers: Answers) {
  return (path: string) => {
    const value = answers[path];
    if (value === undefined) return new Response('no such path', { status: 404 });
    const told: unknown = typeof value === 'function' ? (value as () => unknown)() : value;
    return typeof told === 'string' ? new Response(told) : Response.json(told);
  };
}

function asked(home: Answers, other: Answers | null) {
  const hosts = new Map([['127.0.0.1', program(home)], ...(other ? [['[::1]', program(other)] as const] : [])]);
  const fetch = vi.fn((input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    expect(new Headers(init?.headers).has('authorization')).toBe(false);
    const at = hosts.get(url.hostname);
    return at ? Promise.resolve(at(url.pathname)) : Promise.reject(new TypeError('Failed to fetch'));
  });
  return isSameServer(HOME, OTHER, never, { clock: new FakeClock(), fetch });
}

describe('another address of a server', () => {
  it('is the same where it tells the same of itself', async () => {
    const answers = { '/v1/models': MODELS, '/props': { model_path: '/a.gguf', total_slots: 2 } };
    expect(await asked(answers, answers)).toBe(true);
  });

  it('is the same whatever its answers tell of the time', async () => {
    let created = 0;
    const answers = { '/v1/models': () => ({ data: [{ id: 'hermes', created: (created += 1) }] }) };
    expect(await asked(answers, answers)).toBe(true);
  });

  it.each<[string, Answers, Answers | null]>([
    ['nobody answers there', { '/v1/models': MODELS }, null],
    ['it serves another model', { '/v1/models': MODELS }, { '/v1/models': { data: [{ id: 'other' }] } }],
    [
      'it has another file loaded',
      { '/v1/models': MODELS, '/props': { model_path: '/a.gguf' } },
      { '/v1/models': MODELS, '/props': { model_path: '/b.gguf' } },
    ],
    [
      'it began at another time',
      { '/v1/models': { data: [{ id: 'hermes', created: 1 }] } },
      { '/v1/models': { data: [{ id: 'hermes', created: 2 }] } },
    ],
    ['it tells more', { '/v1/models': MODELS }, { '/v1/models': MODELS, '/props': { model_path: '/a.gguf' } }],
    ['it tells less', { '/v1/models': MODELS, '/props': { model_path: '/a.gguf' } }, { '/v1/models': MODELS }],
    ['neither tells anything', {}, {}],
    ['both answer with a page', { '/v1/models': '<html>' }, { '/v1/models': '<html>' }],
  ])('is another one when %s', async (_, home, other) => {
    expect(await asked(home, other).catch(() => false)).toBe(false);
  });

  it('is not known to be the same when the answer takes too long', async () => {
    const clock = new FakeClock();
    const hangs: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    expect(await clock.run(isSameServer(HOME, OTHER, never, { clock, fetch: hangs }))).toBe(false);
  });
});
