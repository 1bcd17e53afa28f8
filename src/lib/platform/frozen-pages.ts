const CHANNEL = 'talaria/pages';
const AGAIN_MS = 1_000;
/** Where the database cannot be opened at all, no page is in the way. */
const TRIES = 30;

/**
 * Has the browser drop pages of the app that it keeps frozen for "back", until `isDone`. One that was put away while
 * the database was being made would keep every later page from opening it. A frozen page that is sent a message is
 * dropped, by Chromium's rules; a live one takes no notice.
 */
export function dropFrozenPagesUntil(isDone: () => boolean): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => undefined;
  let left = TRIES;
  const timer = setInterval(() => {
    if (isDone() || left === 0) clearInterval(timer);
    else channel.postMessage('drop');
    left -= 1;
  }, AGAIN_MS);
}
