import { afterEach, beforeEach, expect, test } from 'vitest';
import { f } from './formats';
import { preferences, t } from './preferences.svelte';

const root = document.documentElement;

beforeEach(async () => {
  preferences.language = 'en';
  preferences.theme = 'system';
  await preferences.ready;
});
afterEach(() => {
  localStorage.clear();
});

test('the language changes texts, numbers and the page at once, and is kept', async () => {
  expect(t().shell.nav.tasks).toBe('Tasks');
  expect(f().compact(20_000)).toBe('20K');
  preferences.language = 'zh-CN';
  await preferences.ready;
  expect(t().shell.nav.tasks).toBe('任务');
  expect(f().compact(20_000)).toBe('2万');
  expect(root.lang).toBe('zh-CN');
  expect(localStorage.getItem('talaria.language')).toBe('zh-CN');
});

test('the theme stands on the root element, and the system decides where there is none', () => {
  preferences.theme = 'dark';
  expect(root.dataset.theme).toBe('dark');
  preferences.theme = 'light';
  expect(root.dataset.theme).toBe('light');
  preferences.theme = 'system';
  expect(root.dataset.theme).toBeUndefined();
});

test('a choice made in another tab is followed; nonsense is not', async () => {
  dispatchEvent(new StorageEvent('storage', { key: 'talaria.theme', newValue: 'dark' }));
  dispatchEvent(new StorageEvent('storage', { key: 'talaria.language', newValue: 'zh-CN' }));
  await preferences.ready;
  expect(preferences.theme).toBe('dark');
  expect(preferences.language).toBe('zh-CN');
  dispatchEvent(new StorageEvent('storage', { key: 'talaria.theme', newValue: 'plaid' }));
  expect(preferences.theme).toBe('system');
});

test('two quick changes end with the last', async () => {
  preferences.language = 'zh-CN';
  const overtaken = preferences.ready;
  preferences.language = 'en';
  await Promise.all([overtaken, preferences.ready]);
  expect(preferences.language).toBe('en');
  expect(t().shell.nav.tasks).toBe('Tasks');
});
