export type DocumentKind =
  'minutes' | 'log' | 'table' | 'letter' | 'contract' | 'report' | 'interview' | 'code' | 'data' | 'text';

const HEAD_CHARACTERS = 600;
const SAMPLE_LINES = 200;
/** Share of lines that must look like it. */
const MOST = 0.5;

const LINE_SHAPES: readonly (readonly [DocumentKind, RegExp])[] = [
  [
    'log',
    /^\s*\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d)/,
  ],
  ['data', /^\s*(?:[{}[\],]+|"[^"]*"\s*:.*|<\/?[\w:.-]+.*>)\s*$/],
  [
    'code',
    /[;{}]\s*$|^\s*(?:import|from|def|class|function|const|let|var|return|public|private|#include|package|if \(|for \()/,
  ],
  [
    'interview',
    /^\s*(?:Q|A|问|答|[\p{L} .]{1,20}(?:\s*\[?\d{1,2}:\d{2}(?::\d{2})?\]?)?)\s*[:：]\s*\S.{8,}|^\[\d{1,2}:\d{2}/u,
  ],
  ['table', /^[^:：]{1,40}[:：]\s*\S|\S \| \S/],
];

const HEAD_CUES: readonly (readonly [DocumentKind, RegExp])[] = [
  ['minutes', /\b(?:minutes of|meeting (?:notes|minutes)|attendees|agenda)\b|会议纪要|会议记录|参会|与会|议程/i],
  [
    'contract',
    /\b(?:this (?:agreement|contract)|hereinafter|party a)\b|甲方|乙方|本合同|本协议|合同书|协议书|合同编号/i,
  ],
  [
    'letter',
    /^\s*(?:dear\b|from:|to:|subject:|尊敬的|亲爱的|发件人|收件人|主题[:：])|\b(?:kind regards|sincerely)\b|此致/im,
  ],
  ['interview', /\b(?:interview(?:er|ee)?|transcript)\b|访谈|采访|受访/i],
  ['report', /^.{0,80}(?:\b(?:report|summary|findings|analysis)\b|报告|总结|简报)/i],
];

/** A simple guess, by the shape of the lines and by words near the beginning. */
export function documentKind(text: string): DocumentKind {
  const lines = text
    .split('\n', SAMPLE_LINES * 4)
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES);
  const shape = (kind: DocumentKind) => LINE_SHAPES.find(([name]) => name === kind)?.[1];
  const isMostly = (kind: DocumentKind, least: number) => {
    const pattern = shape(kind);
    return (
      pattern !== undefined &&
      lines.length >= least &&
      lines.filter((line) => pattern.test(line)).length > MOST * lines.length
    );
  };
  if (isMostly('log', 3)) return 'log';
  if (isMostly('data', 3)) return 'data';
  if (isMostly('code', 3)) return 'code';
  const cue = HEAD_CUES.find(([, pattern]) => pattern.test(text.slice(0, HEAD_CHARACTERS)));
  if (cue !== undefined) return cue[0];
  if (isMostly('interview', 6) && !isUniform(lines)) return 'interview';
  return isMostly('table', 4) ? 'table' : 'text';
}

/** The same few names before the colons, over and over in order, are columns and no speakers. */
function isUniform(lines: readonly string[]): boolean {
  const short = lines.filter((line) => line.length < 60).length;
  return short > 0.8 * lines.length;
}
