import type { LayoutLoad } from './$types';

export const prerender = true;
export const ssr = false;

/** A page waits for its texts, so that none is shown in another language first. The first page says little. */
export const load: LayoutLoad = async ({ route }) => {
  // Not imported above: the build reads this file where there is no browser.
  const { preferences } = await import('$lib/state/preferences.svelte');
  await (route.id === '/' ? preferences.ready : preferences.loadScreens());
};
