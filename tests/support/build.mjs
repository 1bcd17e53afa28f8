/** The built app, as `npm start` serves it. */
export { BUILD_DIR, ROOT, ensureBuilt } from '../../scripts/built-app.mjs';
