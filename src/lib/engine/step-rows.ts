import { countsDelta } from '../core/counts';
import type { CommitDraft } from '../core/commit';
import type { Failure } from '../core/failure';
import type { TaskId } from '../core/ids';
import { fieldText, readFields } from '../core/fields';
import { fileStepKey, partStepKey } from '../core/ids';
import type { ResultRow } from '../core/results';
import { addSaved, NOTHING_SAVED, orNothing, savedBy, type Saved } from '../core/saved';
import { isSettled, NO_FLAGS, withAttempt, type Attempt, type FileFingerprint, type StepRow } from '../core/step';
import { NO_USAGE, addUsage } from '../core/usage';
import type { DerivedStep, Inference, StepDone, StepFailed } from './job';
import { unsuspected } from './suspicion';

const EXCERPT_CHARACTERS = 160;

/** A row as it is before anything was tried. `seq` is the store's to set. */
function blankStep(taskId: TaskId, step: DerivedStep, file: FileFingerprint | null): StepRow {
  return {
    v: 1,
    taskId,
    ...step,
    status: 'pending',
    seq: 0,
    file,
    inputHash: null,
    resultKey: null,
    excerpt: '',
    outputTokens: 0,
    attempts: 0,
    history: [],
    failure: null,
    flags: NO_FLAGS,
    usage: NO_USAGE,
    durationMs: 0,
    finishedMs: null,
    requests: 0,
    reading: null,
  };
}

export function newFileStep(taskId: TaskId, file: FileFingerprint): StepRow {
  return blankStep(taskId, { key: fileStepKey(file.path), type: 'file', level: 0, inputs: [] }, file);
}

export function newDerivedStep(taskId: TaskId, step: DerivedStep): StepRow {
  return blankStep(taskId, step, null);
}

/** A finished piece of a long file, kept as evidence of what was paid for. */
export function donePart(of: StepRow, index: number, inference: Inference, atMs: number): StepRow {
  const key = partStepKey(of.file?.path ?? of.key, index);
  return {
    ...blankStep(of.taskId, { key, type: 'part', level: 0, inputs: [of.key] }, null),
    status: 'done',
    inputHash: inference.inputHash,
    resultKey: inference.resultKey,
    excerpt: excerptOf(inference.text),
    flags: {
      ...NO_FLAGS,
      reused: inference.reused,
      truncated: inference.finishReason === 'length',
      ...(inference.inputCut && { inputCut: true }),
    },
    usage: inference.usage,
    requests: inference.reused ? 0 : 1,
    finishedMs: atMs,
    ...withSaved(undefined, savedBy(inference.continuation)),
  };
}

export function runningStep(step: StepRow): StepRow {
  return { ...step, status: 'running' };
}

/** The same step, to be tried anew as if it had never run; what it produced before stays findable by its input. */
export function reopenedStep(step: StepRow, file: FileFingerprint | null = step.file): StepRow {
  return { ...unsuspected(step), status: 'pending', file, attempts: 0, failure: null, finishedMs: null };
}

export function doneStep(step: StepRow, outcome: StepDone, tokens: number, attempt: Attempt): StepRow {
  return {
    ...unsuspected(step),
    status: 'done',
    file: outcome.file ?? step.file,
    inputHash: outcome.inputHash,
    resultKey: outcome.result.key,
    excerpt: excerptOf(outcome.result.output),
    outputTokens: tokens,
    attempts: step.attempts + 1,
    history: withAttempt(step.history, attempt),
    failure: null,
    flags: outcome.flags,
    usage: addUsage(step.usage, outcome.usage),
    durationMs: attempt.durationMs,
    finishedMs: attempt.startedMs + attempt.durationMs,
    requests: step.requests + outcome.requests,
    reading: outcome.reading,
    ...withSaved(step.saved, outcome.saved),
  };
}

/** The row after a try that did not succeed. Only `counted` tries bring the step nearer to its end, and clear it of suspicion. */
export function unsuccessfulStep(
  step: StepRow,
  status: 'pending' | 'failed' | 'skipped',
  outcome: Pick<StepFailed, 'file' | 'reading' | 'usage' | 'requests' | 'saved' | 'result'> & {
    failure: Failure | null;
  },
  attempt: Attempt,
  counted: boolean,
): StepRow {
  return {
    ...(counted ? unsuspected(step) : step),
    status,
    file: outcome.file ?? step.file,
    attempts: step.attempts + (counted ? 1 : 0),
    history: withAttempt(step.history, attempt),
    failure: outcome.failure,
    usage: addUsage(step.usage, outcome.usage),
    requests: step.requests + outcome.requests,
    durationMs: attempt.durationMs,
    finishedMs: status === 'pending' ? null : attempt.startedMs + attempt.durationMs,
    reading: outcome.reading ?? step.reading,
    ...withSaved(step.saved, outcome.saved),
    ...(status === 'failed' && outcome.result ? unusable(outcome.result) : {}),
  };
}

/** An answer to look at, and to nothing else: no later try takes it for one. */
function unusable({ key, output }: ResultRow): Pick<StepRow, 'inputHash' | 'resultKey' | 'excerpt'> {
  return { inputHash: null, resultKey: key, excerpt: excerptOf(output) };
}

function withSaved(before: Saved = NOTHING_SAVED, more: Saved): Pick<StepRow, 'saved'> {
  const saved = orNothing(addSaved(before, more));
  return saved ? { saved } : {};
}

/** A draft that moves one step, carries the change of the task's counts with it, and keeps what it takes back. */
export function stepDraft(before: StepRow | null, after: StepRow): CommitDraft & { steps: readonly StepRow[] } {
  const replaced = before !== null && isSettled(before.status) ? [before] : [];
  return { steps: [after], counts: countsDelta(before, after), replaced };
}

/** First words of a result, on one line, without Markdown marks; of fields each that was found. */
export function excerptOf(text: string): string {
  const line = legible(text)
    .slice(0, EXCERPT_CHARACTERS * 4)
    .replace(/[*_`#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= EXCERPT_CHARACTERS ? line : `${characters.slice(0, EXCERPT_CHARACTERS - 1).join('')}…`;
}

function legible(output: string): string {
  const fields = readFields(output);
  if (fields === null) return output;
  const found = Object.entries(fields).map(([name, value]) => [name, fieldText(value)] as const);
  return found.flatMap(([name, text]) => (text === '' ? [] : [`${name}: ${text}`])).join(' · ');
}
