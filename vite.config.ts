import { sveltekit } from '@sveltejs/kit/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findChromium, CHROMIUM_ARGS } from './scripts/chromium.mjs';
import { bundledWorkers } from './tests/support/bundled-workers.mjs';

/** Tables of how long each plugin took are nothing for someone who only starts the app. */
const QUIET = { checks: { pluginTimings: false } };

export default defineConfig({
  plugins: [sveltekit()],
  worker: { format: 'es', rolldownOptions: QUIET },
  build: { target: 'es2022', rolldownOptions: QUIET },
  // Workers pull these in late; listed here so that no re-optimisation reloads a page in mid test.
  optimizeDeps: {
    include: [
      'dexie',
      'comlink',
      'openai',
      'chardet',
      'tokenx',
      'htmlparser2',
      'papaparse',
      'picomatch/posix',
      'valibot',
      'bits-ui',
    ],
    // One module an icon: found late, each would start the bundling over.
    exclude: ['@lucide/svelte'],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          // None waits for real time: a machine that is busy with other work only makes them slow.
          testTimeout: 20_000,
          setupFiles: ['tests/support/unit-setup.ts'],
          include: [
            'src/**/*.test.ts',
            'tests/{support,chaos}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'eslint-rules/**/*.test.ts',
          ],
          exclude: ['src/**/*.browser.test.ts', 'src/**/*.svelte.test.ts'],
        },
      },
      {
        extends: true,
        plugins: [bundledWorkers()],
        test: {
          name: 'browser',
          include: ['src/**/*.browser.test.ts', 'src/**/*.svelte.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findChromium() ?? undefined, args: CHROMIUM_ARGS },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
