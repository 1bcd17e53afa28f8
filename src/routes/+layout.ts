export const prerender = true;
export const ssr = false;

/** The first page waits for the texts of its language, so that none is shown in another one first. */
export async function load(): Promise<void> {
  // Not imported above: the build reads this file where there is no browser.
  const { preferences } = await import('$lib/state/preferences.svelte');
  await preferences.ready;
}
