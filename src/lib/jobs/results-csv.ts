import { fieldText, readFields, type FieldSpec } from '../core/fields';
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

/** With fields there is a column for each in place of the result. */
export function csvHeader(fields?: readonly FieldSpec[]): string {
  const names = fields?.map(({ name }) => csvCell(name));
  const columns = COLUMNS.flatMap((column): readonly string[] => (column === 'result' && names ? names : [column]));
  return `${BYTE_ORDER_MARK}${columns.join(',')}\r\n`;
}

export function csvLine({ step, output }: FileResult, fields?: readonly FieldSpec[]): string {
  const cells = [
    step.file?.path ?? step.key,
    step.status,
    step.flags.reused ? 'yes' : 'no',
    step.failure?.code ?? '',
    ...(fields ? fieldCells(fields, output) : [output]),
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

function fieldCells(fields: readonly FieldSpec[], output: string): readonly string[] {
  const values = readFields(output) ?? {};
  return fields.map(({ name }) => fieldText(values[name]));
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
