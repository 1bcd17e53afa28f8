import type { EndpointId } from '../core/ids';

/** Keys that live only in this worker. The page gives them again to a new one. */
export type SessionKeys = Map<EndpointId, string>;

export function createSessionKeys(): SessionKeys {
  return new Map();
}
