import { defineConfig } from '@playwright/test';

/** Each test starts a Chromium of its own (tests/support/browser.mjs), since many of them kill it. */
export default defineConfig({
  testDir: 'tests',
  globalSetup: './tests/support/global-setup.ts',
  workers: 1,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  projects: [
    { name: 'e2e', testMatch: 'e2e/**/*.spec.ts' },
    { name: 'offline', testMatch: 'offline/**/*.spec.ts' },
    { name: 'a11y', testMatch: 'a11y/**/*.spec.ts' },
  ],
});
