/** No tokenizer joins more of Chinese text than that, taken over a whole text. */
const HAN_PER_TOKEN = 4;

/**
 * Tokens that a text has in any model's count at least: one for each word between spaces that holds a letter or a digit,
 * one for four Chinese characters. Runs of spaces, rules and signs count nothing: some models hold them in one token.
 */
export function leastTokens(text: string): number {
  let words = 0;
  let han = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isHan(unit)) han += 1;
    else if (isSpace(unit)) isInWord = false;
    else if (!isInWord && isLetterOrDigit(unit)) {
      words += 1;
      isInWord = true;
    }
  }
  return words + Math.floor(han / HAN_PER_TOKEN);
}

function isSpace(unit: number): boolean {
  return unit <= 0x20 || unit === 0xa0 || (unit >= 0x2000 && unit <= 0x200f) || unit === 0x2028 || unit === 0x3000;
}

function isHan(unit: number): boolean {
  return (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0x3400 && unit <= 0x4dbf);
}

/** ASCII, and the alphabets below the signs; what is above them is mostly written without spaces. */
function isLetterOrDigit(unit: number): boolean {
  const isAscii = (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
  return isAscii || (unit >= 0xc0 && unit < 0x0e00 && unit !== 0xd7 && unit !== 0xf7);
}
