/** Characters that a wrong decoder makes and a right one does not: controls, private use, unassigned, replaced. */
const IMPOSSIBLE = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]|\p{Co}|\p{Cn}/gu;
const MAX_IMPOSSIBLE_SHARE = 0.01;
/** Letters of the world's scripts, marks, digits, punctuation and signs that texts are made of. */
const SYMBOLS = /[\u00a1-\u00bf\u00d7\u00f7\u2020-\u2022\u2030\u0192\u02c6\u02dc]/gu;
const MAX_SYMBOL_SHARE = 0.34;

/** Whether a text decoded with a guessed encoding can be one. Single-byte decoders accept any bytes, so validity is no proof. */
export function isPlausibleText(text: string): boolean {
  const foreign = text.replace(/[\x09-\x0d\x1b\x20-\x7e]+/g, '');
  if (foreign === '') return true;
  const impossible = foreign.match(IMPOSSIBLE)?.length ?? 0;
  if (impossible > 0 && impossible >= foreign.length * MAX_IMPOSSIBLE_SHARE) return false;
  const symbols = foreign.match(SYMBOLS)?.length ?? 0;
  return foreign.length < 8 || symbols <= foreign.length * MAX_SYMBOL_SHARE;
}

export function hasHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
