import { build } from 'vite';

const ENDING = '?bundled';

/**
 * Gives the whole code of a worker as one text: `import code from './x.worker.ts?bundled'`. A test that starts hundreds of
 * workers would otherwise wait for hundreds of times as many modules.
 *
 * @returns {import('vite').Plugin}
 */
export function bundledWorkers() {
  return {
    name: 'bundled-workers',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(ENDING)) return null;
      const entry = id.slice(0, -ENDING.length);
      const built = await build({
        configFile: false,
        logLevel: 'silent',
        build: { write: false, lib: { entry, formats: ['es'], fileName: 'worker' } },
      });
      const [whole] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (built);
      return `export default ${JSON.stringify(whole?.output[0].code)}`;
    },
  };
}
