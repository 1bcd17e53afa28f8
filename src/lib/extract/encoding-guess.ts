import { analyse } from 'chardet';
import { hasHan } from './plausibility';
import { encodingName, strictText } from './strict-text';

const SAMPLE_BYTES = 65_536;
const LEAD_IN_BYTES = 256;
/** Statistics say nothing about fewer bytes than this. */
const SHORT_BYTES = 10;
/** Tried, in this order, when the statistics name nothing that reads. */
const FALLBACKS = ['gb18030', 'big5', 'shift_jis', 'euc-kr', 'windows-1252'];

/** WHATWG names of legacy encodings, likeliest first. Validity is for the caller to try. */
export function guessEncodings(bytes: Uint8Array): readonly string[] {
  if (bytes.length < SHORT_BYTES) return isShortChinese(bytes) ? ['gb18030', 'windows-1252'] : ['windows-1252'];
  const names = analyse(sampleOf(bytes))
    .map((match) => encodingName(match.name))
    .filter((name) => name !== null)
    .filter((name) => name !== 'utf-8' && name !== 'replacement' && !name.startsWith('utf-16'));
  return [...new Set([...names, ...FALLBACKS])];
}

/** Around the first byte that is not ASCII: a long English opening tells nothing. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - LEAD_IN_BYTES);
  return bytes.subarray(start, start + SAMPLE_BYTES);
}

/** Both bytes of a GB 2312 character are high; a lone accented letter of a western text is not a pair. */
function isShortChinese(bytes: Uint8Array): boolean {
  let run = 0;
  for (const byte of [...bytes, 0]) {
    if (byte >= 0xa1) {
      run += 1;
      continue;
    }
    if (run % 2 !== 0) return false;
    run = 0;
  }
  const text = strictText(bytes, 'gb18030');
  return text !== null && hasHan(text);
}
