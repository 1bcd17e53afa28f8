import { throwIfAborted } from '../abort';
import { listModels, type ListOptions } from '../list-models';
import { readText } from '../read-text';
import { askWindow } from './ask-window';

const MAX_BYTES = 1024 * 1024;

/**
 * Tokens that a request may hold, as the server tells: in its list of models, else at the address that its kind has for
 * it. Null where it does not tell. Rejects with `AbortError` when the signal fires.
 */
export async function findWindow(options: ListOptions & { readonly model: string }): Promise<number | null> {
  const { baseUrl, model, signal } = options;
  const listed = await listModels(options);
  if (!listed.ok) return null;
  const inList = listed.value.find(({ id }) => id === model)?.contextTokens ?? null;
  if (inList !== null) return inList;
  const readJson = (url: string, body: object | null) => jsonAt(url, body, options);
  const told = await askWindow({ baseUrl, model, readJson });
  throwIfAborted(signal);
  return told.contextTokens;
}

async function jsonAt(
  url: string,
  body: object | null,
  { key, headers, signal, fetch: send = fetch }: ListOptions,
): Promise<unknown> {
  try {
    const response = await send(url, {
      ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...headers,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      signal,
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    const text = await readText(response, MAX_BYTES);
    return response.ok ? JSON.parse(text) : null;
  } catch {
    throwIfAborted(signal);
    return null;
  }
}
