import type { StepRow } from '../core/step';

export interface FileResult {
  readonly step: StepRow;
  readonly output: string;
}

const COLUMNS = [
  'file',
  'state',
  'reused',
  'reason',
  'result',
  'attempts',
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'seconds',
  'encoding',
  'truncated',
  'input_cut',
  'finished',
] as const;

/** Spreadsheets on Windows take a file without this mark for their local encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

export function csvHeader(): string {
  return `${BYTE_ORDER_MARK}${COLUMNS.join(',')}\r\n`;
}

export function csvLine({ step, output }: FileResult): string {
  const cells = [
    step.file?.path ?? step.key,
    step.status,
    step.flags.reused ? 'yes' : 'no',
    step.failure?.code ?? '',
    output,
    step.attempts,
    step.requests,
    step.usage.promptTokens,
    step.usage.completionTokens,
    (step.durationMs / 1000).toFixed(1),
    step.reading?.encoding ?? '',
    step.flags.truncated ? 'yes' : 'no',
    step.flags.inputCut ? 'yes' : 'no',
    step.finishedMs === null ? '' : new Date(step.finishedMs).toISOString(),
  ];
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\r\n`;
}

/** What a sheet would run as a formula, with anything blank in front of it. Plain numbers stay numbers. */
const FORMULA = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
const LEADING_CONTROL = /^[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?%?$/;

/** A cell that no spreadsheet runs: it starts with a single quote when it could be taken for a formula. */
export function csvCell(text: string): string {
  const risky = (FORMULA.test(text) || LEADING_CONTROL.test(text)) && !NUMBER.test(text);
  const inert = risky ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replace(/"/g, '""')}"` : inert;
}
