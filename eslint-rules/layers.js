/**
 * The layer law as data. `may` lists the layers a layer may import; every layer may import itself, and anything may
 * import types from core. `packages` lists the npm packages (or `@scope/*`) that are this layer's own.
 *
 * @typedef {object} Layer
 * @property {string} is what the layer is for, said in the message when it is broken
 * @property {readonly string[]} may
 * @property {readonly string[]} packages
 */

const ADAPTER = 'an adapter knows core and its own library, never another adapter';

/** @type {Readonly<Record<string, Layer>>} */
export const LAYERS = {
  core: { is: 'core is the pure domain and knows nothing of the rest', may: [], packages: [] },
  engine: { is: 'the engine decides over ports; adapters are handed to it', may: ['core'], packages: [] },
  jobs: { is: 'jobs are built from the engine and ports only', may: ['core', 'engine'], packages: [] },
  storage: {
    is: ADAPTER,
    may: ['core'],
    packages: ['dexie', 'valibot'],
  },
  folders: {
    is: ADAPTER,
    may: ['core'],
    packages: ['picomatch'],
  },
  extract: {
    is: ADAPTER,
    may: ['core'],
    packages: ['chardet', 'htmlparser2', 'papaparse', 'tokenx'],
  },
  llm: {
    is: ADAPTER,
    may: ['core'],
    packages: ['openai', 'tokenx', 'valibot'],
  },
  bridge: { is: 'the bridge carries core types between page and worker', may: ['core'], packages: ['comlink'] },
  platform: { is: 'platform wraps what the browser offers and knows no domain logic', may: ['core'], packages: [] },
  i18n: { is: 'words depend on codes and types of core only', may: ['core'], packages: [] },
  state: {
    is: 'state reads rows and sends commands; it never works on tasks itself',
    may: ['core', 'storage', 'bridge', 'platform', 'i18n'],
    packages: ['svelte', 'dexie', 'comlink'],
  },
  ui: {
    is: 'the interface shows state in words; it touches no adapter',
    may: ['core', 'state', 'i18n'],
    packages: [
      'svelte',
      '$app',
      'bits-ui',
      '@internationalized/date',
      '@lucide/svelte',
      'marked',
      'dompurify',
      'virtua',
    ],
  },
  testing: {
    is: 'fakes implement ports, and benches put an engine together; locks need no fake where no browser is',
    may: ['core', 'engine', 'jobs', 'storage', 'folders', 'extract', 'llm', 'platform'],
    packages: [],
  },
  workers: {
    is: 'workers are composition roots: everything but what a page shows',
    may: ['core', 'engine', 'jobs', 'storage', 'folders', 'extract', 'llm', 'tools', 'bridge', 'platform'],
    packages: ['comlink'],
  },
  routes: {
    is: 'pages load and compose; logic lives below them',
    may: ['core', 'ui', 'state', 'i18n'],
    packages: ['svelte', '@sveltejs/kit', '$app', '@lucide/svelte'],
  },
  'service-worker': { is: 'the offline shell needs types of core at most', may: [], packages: ['$service-worker'] },
};
