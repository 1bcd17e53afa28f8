import { rootOf } from '../hosts';
import { NOTHING_TOLD, windowInLmStudio, windowInOllama, windowInProps, type ToldWindow } from './told-window';

export interface AskWindowOptions {
  readonly baseUrl: string;
  readonly model: string;
  /**
   * Reads JSON of the server itself: GET, or POST where there is a body. Null for any answer that is none, such as a 404;
   * it rejects for nothing but an abort.
   */
  readonly readJson: (url: string, body: object | null) => Promise<unknown>;
}

/**
 * Asks a server that does not tell its window in its list of models: each kind of server has an address of its own for
 * it, below the base URL's origin. The first that tells what a request may hold now is believed.
 */
export async function askWindow({ baseUrl, model, readJson }: AskWindowOptions): Promise<ToldWindow> {
  const root = rootOf(baseUrl);
  const ways: readonly (() => Promise<ToldWindow>)[] = [
    async () => windowInProps(await readJson(`${root}/props`, null)),
    async () => {
      const running = await readJson(`${root}/api/ps`, null);
      return running === null
        ? NOTHING_TOLD
        : windowInOllama(running, await readJson(`${root}/api/show`, { model }), model);
    },
    async () => windowInLmStudio(await readJson(`${root}/api/v0/models`, null), model),
  ];
  let best = NOTHING_TOLD;
  for (const way of ways) {
    const told = await way();
    if (told.contextTokens !== null) return told;
    best = { ...best, mostTokens: best.mostTokens ?? told.mostTokens, slots: best.slots ?? told.slots };
  }
  return best;
}
