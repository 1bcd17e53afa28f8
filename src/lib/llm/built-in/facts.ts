/** A date or an amount with the clause it stands in. */
export interface Fact {
  readonly kind: 'date' | 'amount';
  readonly value: string;
  readonly clause: string;
}

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const HAN_NUMBER = '[〇零一二三四五六七八九十]';
const DATE = new RegExp(
  [
    String.raw`\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b`,
    String.raw`\d{2,4}\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?`,
    String.raw`\d{1,2}\s*月\s*\d{1,2}\s*[日号]`,
    `${HAN_NUMBER}{4}年${HAN_NUMBER}{1,3}月(?:${HAN_NUMBER}{1,3}[日号])?`,
    `${HAN_NUMBER}{1,2}月${HAN_NUMBER}{1,3}[日号]`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?${MONTH}(?:,?\s+\d{4})?\b`,
    String.raw`\b${MONTH}\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4}\b)?`,
    String.raw`\b${MONTH}\s+\d{4}\b`,
    String.raw`\b(?:Q[1-4]\s+\d{4}|\d{4}\s+Q[1-4])\b`,
    String.raw`\d{4}\s*年(?:第[一二三四]季度|上半年|下半年)`,
  ].join('|'),
  'g',
);

const NUMBER = String.raw`\d+(?:[,，]\d{3})*(?:\.\d+)?`;
const SCALE = String.raw`(?:\s*(?:[kKmM]|bn|thousand|million|billion|trillion|[百千万亿]+))?`;
const AMOUNT = new RegExp(
  [
    String.raw`[$€£¥￥]\s?${NUMBER}${SCALE}(?![\w])`,
    String.raw`\b(?:USD|EUR|GBP|CNY|RMB|JPY|US\$)\s?${NUMBER}${SCALE}(?![\w])`,
    String.raw`${NUMBER}${SCALE}\s*(?:[€£]|(?:USD|EUR|GBP|CNY|RMB|JPY|dollars?|euros?|pounds|yuan)\b|美元|欧元|英镑|日元|人民币|元|块钱)`,
    String.raw`${NUMBER}\s*(?:[%％‰]|per ?cent\b|个百分点)`,
    String.raw`百分之[〇零一二三四五六七八九十百点]+`,
    String.raw`${NUMBER}\s*[百千万亿]{1,2}\s*(?:吨|公斤|千克|公里|平方米|人次|人|家|台|件|套|股|次|份|个|辆|户|亩)?`,
    String.raw`${NUMBER}\s*(?:吨|公斤|千克|公里|平方米|人次|小时|工作日|个月|兆瓦|千瓦时)`,
    String.raw`\b${NUMBER}\s?(?:kg|km|tonnes?|tons?|MW|GW|kWh|MWh|GB|TB|MB|ms|hours?|working days|employees|units|people|patients|participants)\b`,
  ].join('|'),
  'g',
);
const CLAUSE_BREAK = /[,，;；。！？、]/;
const MAX_CLAUSE_CHARACTERS = 90;

/** Dates and amounts of one sentence, in order. */
export function factsOf(sentence: string): readonly Fact[] {
  const dates = [...sentence.matchAll(DATE)].map((match) => ({ kind: 'date' as const, match }));
  const amounts = [...sentence.matchAll(AMOUNT)]
    .map((match) => ({ kind: 'amount' as const, match }))
    .filter(({ match }) => !dates.some((date) => overlaps(date.match, match)));
  return [...dates, ...amounts]
    .sort((a, b) => a.match.index - b.match.index)
    .map(({ kind, match }) => ({
      kind,
      value: match[0].replace(/\s+/g, ' ').trim(),
      clause: clauseAround(sentence, match.index, match.index + match[0].length),
    }));
}

function overlaps(a: RegExpExecArray, b: RegExpExecArray): boolean {
  return a.index < b.index + b[0].length && b.index < a.index + a[0].length;
}

function clauseAround(sentence: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from > 0 && !isBreak(sentence, from - 1) && end - from < MAX_CLAUSE_CHARACTERS) from -= 1;
  while (to < sentence.length && !isBreak(sentence, to) && to - from < MAX_CLAUSE_CHARACTERS) to += 1;
  return sentence
    .slice(from, to)
    .trim()
    .replace(/^(?:and|but)\s+/i, '')
    .replace(/[.。]$/, '');
}

/** A comma between digits belongs to a number. */
function isBreak(sentence: string, at: number): boolean {
  const character = sentence.charAt(at);
  if (!CLAUSE_BREAK.test(character)) return false;
  return !(/[,，]/.test(character) && /\d/.test(sentence.charAt(at - 1)) && /\d/.test(sentence.charAt(at + 1)));
}
