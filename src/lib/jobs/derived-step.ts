import { failure } from '../core/failure';
import type { StepKey } from '../core/ids';
import { REPORT_SECTIONS, type ReportSection } from '../core/model';
import { fail, ok, type Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { JobContext, StepContext, StepOutcome } from '../engine/job';
import { ask } from './ask';
import { budgetFor } from './budget';
import { mergeRequest, sectionRequest, type NamedText } from './requests';
import { Tally } from './tally';

/** A node of the report tree: the notes of its inputs merged, or a section written from them. */
export async function runDerivedStep(step: StepRow, context: StepContext): Promise<StepOutcome> {
  const tally = new Tally();
  const { options } = context.task;
  const texts = await readNotes(context, step.inputs);
  if (!texts.ok) return tally.failed(texts.failure);
  const { answerTokens } = budgetFor(context.contextTokens, context.extractor.estimateTokens(options.instructions));
  const section = sectionOf(step.key);
  const answer = await ask(context, answerTokens, (maxTokens) =>
    section ? sectionRequest(options, section, texts.value, maxTokens) : mergeRequest(options, texts.value, maxTokens),
  );
  if (!answer.ok) return tally.failed(answer.failure);
  tally.add(answer.value);
  return tally.done(answer.value, { file: null, reading: null, guessedEncoding: false });
}

export function sectionKeyPrefix(section: ReportSection): string {
  return `section/${section}/`;
}

function sectionOf(key: StepKey): ReportSection | null {
  return REPORT_SECTIONS.find((section) => key.startsWith(sectionKeyPrefix(section))) ?? null;
}

/** The results of steps, named as a report names them: a file by its path, a merge by the files it stands for. */
export async function readNotes(context: JobContext, keys: readonly StepKey[]): Promise<Result<readonly NamedText[]>> {
  const steps = await context.store.steps(context.task.id, keys);
  if (!steps.ok) return steps;
  const rows = steps.value.flatMap((step) => (step?.resultKey ? [{ step, key: step.resultKey }] : []));
  const results = await context.store.results(rows.map(({ key }) => key));
  if (!results.ok) return results;
  const texts = rows.flatMap(({ step }, index) => {
    const result = results.value[index];
    return result ? [{ name: nameOf(step), text: result.output }] : [];
  });
  return texts.length === keys.length
    ? ok(texts)
    : fail(failure('row_unreadable', { message: 'a result of the report tree is missing' }));
}

function nameOf(step: StepRow): string {
  if (step.file) return step.file.path;
  return `${String(step.inputs.length)} × ${step.key.split('/').slice(0, 2).join(' ')}`;
}
