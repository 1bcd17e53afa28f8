import type { PermissionQuery } from '../core/reach';

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
