/** Kept where a page can write in its very last moment, and read by whichever page comes next, in any tab. */
const KEY = 'talaria.left';

/** The page is being closed, reloaded or left: what its worker is doing ends by that, and not by a fault. */
export function notePageLeft(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Storage is blocked: the worker's end will be taken for a death, which alone condemns nothing.
  }
}

/** When a page of the app was last left in good order; Unix milliseconds, null when never or not known. */
export function pageLeftMs(): number | null {
  try {
    const noted = Number(localStorage.getItem(KEY) ?? Number.NaN);
    return Number.isFinite(noted) ? noted : null;
  } catch {
    return null;
  }
}
