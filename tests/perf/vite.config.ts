import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the measuring pages, which run the real worker. They are never part of the app. */
export default defineConfig({
  root: at('./pages'),
  base: '/bench/',
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    rolldownOptions: {
      input: ['overhead', 'long-run', 'screen', 'storage', 'resume', 'lanes', 'parsing'].map((name) =>
        at(`./pages/${name}.html`),
      ),
    },
  },
});
