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
