import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { f } from './formats';
import { failureTexts, preferences, screens, t } from './preferences.svelte';

const root = document.documentElement;

beforeEach(async () => {
  preferences.language = 'en';
  preferences.theme = 'system';
  await preferences.ready;
});
afterEach(() => {
  localStorage.clear();
});

test('the first page has its words at once, and those of failures as soon as one is shown', async () => {
  expect(() => screens()).toThrow('not loaded');
  expect(failureTexts()).toBeNull();
  await vi.waitFor(() => expect(failureTexts()?.file_empty.what({})).toContain('empty'));
});

test('the words of all pages come once they are wanted, then in every language', async () => {
  const wanted = preferences.loadScreens();
  preferences.language = 'zh-CN';
  await Promise.all([wanted, preferences.ready]);
  expect(screens().settings.title).toBe('设置');
  preferences.language = 'en';
  await preferences.ready;
  expect(screens().settings.title).toBe('Settings');
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
