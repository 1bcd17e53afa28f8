import type { EndpointId } from '../core/ids';

const STORED_AS = 'talaria.session-keys';

type Keys = Readonly<Record<string, string>>;

/** Keys that this tab remembers for as long as it lives. They are given to every worker the tab starts. */
export function sessionKeys(): readonly (readonly [EndpointId, string])[] {
  return Object.entries(read()) as [EndpointId, string][];
}

export function sessionKeyOf(id: EndpointId): string | undefined {
  return read()[id];
}

export function keepSessionKey(id: EndpointId, key: string): void {
  const { [id]: _old, ...others } = read();
  const keys: Keys = key === '' ? others : { ...others, [id]: key };
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify(keys));
  } catch {
    return;
  }
}

function read(): Keys {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? '{}');
    if (kept === null || typeof kept !== 'object') return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
