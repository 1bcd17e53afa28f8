import { readFields, type FieldSpec } from '../core/fields';
import type { FileResult } from './results-csv';

/** One line of JSON a file, its fields as an object if it has any, with everything known about it but nothing of the endpoint's key. */
export function jsonlLine({ step, output }: FileResult, fields?: readonly FieldSpec[]): string {
  return `${JSON.stringify({
    file: step.file?.path ?? step.key,
    sizeBytes: step.file?.sizeBytes ?? null,
    digest: step.file?.digest ?? null,
    state: step.status,
    reused: step.flags.reused,
    truncated: step.flags.truncated,
    inputCut: step.flags.inputCut ?? false,
    guessedEncoding: step.flags.guessedEncoding,
    encoding: step.reading?.encoding ?? null,
    parts: step.reading?.parts ?? null,
    reason: step.failure?.code ?? null,
    result: step.status !== 'done' ? null : fields ? (readFields(output) ?? output) : output,
    inputHash: step.inputHash,
    attempts: step.history,
    requests: step.requests,
    usage: step.usage,
    durationMs: step.durationMs,
    finishedMs: step.finishedMs,
  })}\n`;
}
