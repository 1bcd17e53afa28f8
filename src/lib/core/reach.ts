const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const PRIVATE_V4 = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_V6 = /^\[(f[cd]|fe80:)/;

export type Reach = 'loopback' | 'local' | 'public';

/** Where a host is, as far as its name tells. */
export function reachOf(url: string): Reach {
  if (!URL.canParse(url)) return 'public';
  const { hostname } = new URL(url);
  if (LOOPBACK.test(hostname)) return 'loopback';
  if (hostname.startsWith('[')) return PRIVATE_V6.test(hostname) ? 'local' : 'public';
  if (/^\d+(\.\d+){3}$/.test(hostname)) return PRIVATE_V4.test(hostname) ? 'local' : 'public';
  return hostname.endsWith('.local') || !hostname.includes('.') ? 'local' : 'public';
}

export type LocalNetworkPermission = 'loopback-network' | 'local-network';
/** What the browser says of this site's access to this device or the local network; null where it has no such rule. */
export type PermissionQuery = (name: LocalNetworkPermission) => Promise<PermissionState | null>;

/** The permission that a page needs to ask `url`; null where it needs none. A page from this device needs none for it. */
export function permissionFor(url: string, pageUrl: string): LocalNetworkPermission | null {
  const reach = reachOf(url);
  if (reach === 'public' || reachOf(pageUrl) === 'loopback') return null;
  return reach === 'loopback' ? 'loopback-network' : 'local-network';
}
