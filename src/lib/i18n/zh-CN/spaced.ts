/** A path or an address before a Chinese word; null stays null. */
export function spaced(latin: string | null): string | null {
  return latin === null ? null : `${latin} `;
}
