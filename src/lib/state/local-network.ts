import { permissionFor } from '../core/reach';
import { queryLocalNetwork } from '../platform/local-network';

/** Whether the browser will ask the person before this page can reach `url`. */
export async function willBeAsked(url: string): Promise<boolean> {
  const needed = permissionFor(url, location.href);
  return needed !== null && (await queryLocalNetwork(needed)) === 'prompt';
}
