/** What of a request decides whether the precache answers it. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly mode: RequestMode;
}

/**
 * The precached path that answers a request, or null when the request is none of our business and goes its way
 * untouched: another origin (model servers), anything but GET, and whatever was not stored at install.
 * Pages are found without their query, with and without `.html` and a trailing slash.
 */
export function precachedPath(asked: Asked, origin: string, stored: ReadonlySet<string>): string | null {
  if (asked.method !== 'GET') return null;
  const url = new URL(asked.url);
  if (url.origin !== origin) return null;
  const path = decodedPath(url.pathname);
  if (asked.mode !== 'navigate') return url.search === '' && stored.has(path) ? path : null;
  const page = path.replace(/\.html$/, '').replace(/\/index$/, '/');
  const forms = [page, page.replace(/\/+$/, ''), `${page}/`];
  return forms.find((form) => form !== '' && stored.has(form)) ?? null;
}

/** The form that lists of files are written in: `$service-worker` does not encode names. */
function decodedPath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
