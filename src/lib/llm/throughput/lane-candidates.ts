import { isLoopbackUrl } from '../hosts';

/** Browsers open no more connections to an origin over HTTP/1.1; what is beyond waits inside them, unseen. */
export const HTTP1_CONNECTIONS = 6;
/** Streams of one HTTP/2 connection that servers and proxies allow as they come. */
export const HTTP2_STREAMS = 100;

/**
 * Other names under which a server on this machine may be reached too, likeliest first, at most `count`. None for other
 * machines, nor with TLS, whose certificates name one host. They are guesses: each has to be verified before use.
 */
export function laneCandidates(baseUrl: string, count: number): readonly string[] {
  if (!URL.canParse(baseUrl) || !isLoopbackUrl(baseUrl)) return [];
  const home = new URL(baseUrl);
  if (home.protocol !== 'http:') return [];
  const numbered = Array.from({ length: Math.max(0, count) }, (_, index) => `lane-${index + 1}.localhost`);
  return ['127.0.0.1', 'localhost', '[::1]', ...numbered]
    .filter((host) => host !== home.hostname)
    .slice(0, Math.max(0, count))
    .map((host) => baseUrlAt(home, host));
}

function baseUrlAt(home: URL, host: string): string {
  const port = home.port === '' ? '' : `:${home.port}`;
  return `${home.protocol}//${host}${port}${home.pathname.replace(/\/+$/, '')}`;
}
