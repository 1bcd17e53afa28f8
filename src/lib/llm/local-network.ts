import { reachOf } from './hosts';

export type LocalNetworkPermission = 'loopback-network' | 'local-network';
export type PermissionQuery = (name: LocalNetworkPermission) => Promise<PermissionState | null>;

/** What the browser says of this site's access to this device or the local network; null where it has no such rule. */
export const queryLocalNetwork: PermissionQuery = async (name) => {
  for (const each of [name, 'local-network-access']) {
    try {
      return (await navigator.permissions.query({ name: each as PermissionName })).state;
    } catch {
      // An older or another browser does not know the name.
    }
  }
  return null;
};

/**
 * What a request to the local network from a page that came over https says beforehand: a browser that knows of address
 * spaces else refuses it as mixed content before anybody is asked. Others pass it over. Empty for all other requests.
 */
export function addressSpace(url: string, pageUrl: string | null): { readonly targetAddressSpace?: 'local' } {
  const isMixed = pageUrl?.startsWith('https:') === true && url.startsWith('http:');
  return isMixed && reachOf(url) === 'local' ? { targetAddressSpace: 'local' } : {};
}
