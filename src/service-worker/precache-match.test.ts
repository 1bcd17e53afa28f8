import { expect, test } from 'vitest';
import { precachedPath } from './precache-match';

const ORIGIN = 'http://localhost:4173';
const STORED = new Set(['/', '/new', '/task', '/_app/immutable/entry/start.abc.js', '/sample/访谈.txt']);

const navigate = (url: string) => precachedPath({ method: 'GET', url, mode: 'navigate' }, ORIGIN, STORED);
const load = (url: string, method = 'GET') => precachedPath({ method, url, mode: 'cors' }, ORIGIN, STORED);

test.each([
  ['/', '/'],
  ['/index.html', '/'],
  ['/new', '/new'],
  ['/new/', '/new'],
  ['/new.html', '/new'],
  ['/new?folder=sample', '/new'],
  ['/task?id=1&tab=report#x', '/task'],
])('PWA-03: the page %s is answered by %s', (path, page) => {
  expect(navigate(`${ORIGIN}${path}`)).toBe(page);
});

test('an app hosted below a path finds its pages too', () => {
  const below = new Set(['/talaria/', '/talaria/new']);
  const find = (url: string) => precachedPath({ method: 'GET', url, mode: 'navigate' }, ORIGIN, below);
  expect(find(`${ORIGIN}/talaria`)).toBe('/talaria/');
  expect(find(`${ORIGIN}/talaria/`)).toBe('/talaria/');
  expect(find(`${ORIGIN}/talaria/new?x=1`)).toBe('/talaria/new');
  expect(find(`${ORIGIN}/`)).toBeNull();
});

test('a file is answered by itself, whatever alphabet it is named in', () => {
  expect(load(`${ORIGIN}/_app/immutable/entry/start.abc.js`)).toBe('/_app/immutable/entry/start.abc.js');
  expect(load(`${ORIGIN}/sample/${encodeURIComponent('访谈.txt')}`)).toBe('/sample/访谈.txt');
});

test.each([
  ['a model server on this computer', 'http://127.0.0.1:8000/v1/models', 'GET'],
  ['a model server whose path is one of ours', 'http://localhost:8000/new', 'GET'],
  ['a model server elsewhere', 'https://models.example/v1/chat/completions', 'POST'],
  ['a model server behind our own origin', `${ORIGIN}/v1/chat/completions`, 'POST'],
  ['the models of a server behind our own origin', `${ORIGIN}/v1/models`, 'GET'],
  ['a POST to a page', `${ORIGIN}/new`, 'POST'],
  ['a HEAD', `${ORIGIN}/new`, 'HEAD'],
  ['a file with a query', `${ORIGIN}/sample/${encodeURIComponent('访谈.txt')}?fresh`, 'GET'],
])('PWA-05: %s passes untouched', (_what, url, method) => {
  expect(load(url, method)).toBeNull();
});

test('a page that is not ours, or a broken address, passes untouched', () => {
  expect(navigate(`${ORIGIN}/no-such-page`)).toBeNull();
  expect(navigate(`${ORIGIN}/%E0%A4%A`)).toBeNull();
});
