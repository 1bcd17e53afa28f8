import { failure } from '../core/failure';
import { REPORT_SECTIONS } from '../core/model';
import { fail, ok, type Result } from '../core/result';
import type { Job, JobContext } from '../engine/job';
import { batchOutput } from './batch-output';
import { readNotes, runDerivedStep, sectionKeyPrefix } from './derived-step';
import { runFileStep } from './file-step';
import { nextWave, stepsOf } from './next-wave';
import { composeReport } from './report-document';
import { modelsOf } from './report-models';

/** Every matching file: text, model, result; then a report built in levels. */
export const batchJob: Job = {
  run: (step, context) => (step.type === 'file' ? runFileStep(step, context) : runDerivedStep(step, context)),
  next: nextWave,
  report: batchReport,
  output: (context, report) => batchOutput(context.store, context.task, report),
};

async function batchReport(context: JobContext): Promise<Result<string>> {
  const steps = await stepsOf(context, 'section', (step) => [step]);
  if (!steps.ok) return steps;
  const keys = REPORT_SECTIONS.flatMap((section) => {
    const step = steps.value.find(({ key }) => key.startsWith(sectionKeyPrefix(section)));
    return step ? [step.key] : [];
  });
  if (keys.length < REPORT_SECTIONS.length) return fail(failure('report_failed', { message: 'a section is missing' }));
  const sections = await readNotes(context, keys);
  if (!sections.ok) return sections;
  const files = await stepsOf(context, 'file', (step) => [step]);
  if (!files.ok) return files;
  const models = await modelsOf(context);
  if (!models.ok) return models;
  const texts = sections.value.map(({ text }) => text);
  return ok(composeReport({ task: context.task, models: models.value, sections: texts, files: files.value }));
}
