import type { Clock } from '../../core/ports';
import { rootOf } from '../hosts';
import { readText } from '../read-text';
import { withLimit } from '../time-limit';

export interface SameServerOptions {
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

/** Where servers tell of themselves, beside their list of models. What one of them does not know it answers with an error. */
const PLACES = ['/props', '/api/ps'] as const;
const LIMIT_MS = 3_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Whether another address leads to the server of `home`. Both are asked what they tell of themselves, without the key,
 * home before and after: what differs between its own two answers, such as the time, says nothing, all else has to be
 * alike. A server that tells nothing without the key is not known to be the same.
 */
export async function isSameServer(
  home: string,
  other: string,
  signal: AbortSignal,
  { clock, fetch: send = fetch }: SameServerOptions,
): Promise<boolean> {
  const told = (baseUrl: string, limited: AbortSignal) =>
    Promise.all(placesOf(baseUrl).map((url) => factsAt(url, send, limited)));
  const asked = await withLimit(clock, LIMIT_MS, signal, async (limited) => {
    const before = await told(home, limited);
    const there = await told(other, limited);
    const after = await told(home, limited);
    return before.every((facts, index) => isAlike(facts, there[index] ?? null, after[index] ?? null)) && tells(before);
  });
  return asked.ok && asked.value;
}

type Facts = ReadonlyMap<string, string> | null;

/** A list of models at least: two servers of the same make tell the same version. */
function tells([models]: readonly Facts[]): boolean {
  return models != null && models.size > 0;
}

function isAlike(before: Facts, there: Facts, after: Facts): boolean {
  if (before === null || after === null) return there === null;
  if (there === null) return false;
  const paths = new Set([...before.keys(), ...there.keys(), ...after.keys()]);
  return [...paths].every((path) => {
    const own = before.get(path);
    return own !== after.get(path) || own === there.get(path);
  });
}

/** Every value of a JSON answer under its path; null for any other answer. */
async function factsAt(url: string, send: typeof fetch, signal: AbortSignal): Promise<Facts> {
  const response = await send(url, {
    signal,
    credentials: 'omit',
    redirect: 'manual',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  });
  if (!response.ok) {
    await response.body?.cancel();
    return null;
  }
  try {
    const facts = new Map<string, string>();
    collect(JSON.parse(await readText(response, MAX_BYTES)), '', facts);
    return facts;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function collect(value: unknown, path: string, facts: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) {
    facts.set(path, JSON.stringify(value));
    return;
  }
  for (const [name, each] of Object.entries(value)) collect(each, `${path}/${name}`, facts);
}

function placesOf(baseUrl: string): readonly string[] {
  const url = baseUrl.replace(/\/+$/, '');
  const root = rootOf(url);
  return [`${url}/models`, ...PLACES.map((place) => `${root}${place}`)];
}
