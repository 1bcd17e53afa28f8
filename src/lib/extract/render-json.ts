import { indentTo } from './markup';

const LONG_LINE = 400;
const INDENT = '  ';

/**
 * Minified JSON with line breaks, so that it can be split and read; anything else as it is. Works on the characters,
 * not on parsed values: numbers keep all their digits and repeated keys stay.
 */
export function renderJson(text: string): string {
  if (!text.split('\n').some((line) => line.length > LONG_LINE) || !isJson(text)) return text;
  let out = '';
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') {
      const end = endOfString(text, index);
      out += text.slice(index, end);
      index = end - 1;
    } else if (character === '{' || character === '[') {
      const closing = closesAtOnce(text, index);
      if (closing === null) {
        depth += 1;
        out += character + newLine(depth);
      } else {
        out += character + text.charAt(closing);
        index = closing;
      }
    } else if (character === '}' || character === ']') {
      depth -= 1;
      out += newLine(depth) + character;
    } else if (character === ',') out += character + newLine(depth);
    else if (character === ':') out += ': ';
    else if (!/\s/.test(character)) out += character;
  }
  return out;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1;
  return index + 1;
}

function closesAtOnce(text: string, start: number): number | null {
  let index = start + 1;
  while (/\s/.test(text.charAt(index))) index += 1;
  return text.charAt(index) === '}' || text.charAt(index) === ']' ? index : null;
}

function newLine(depth: number): string {
  return `\n${indentTo(depth, INDENT)}`;
}
