import { failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import type { ExtractedText } from '../core/extraction';
import type { FolderFile } from '../core/ports';
import type { FileFingerprint, Reading, StepRow } from '../core/step';
import type { Inference, StepContext, StepOutcome } from '../engine/job';
import { allAnswers } from './answers';
import { ask } from './ask';
import { askFields, fieldsInARow, fieldsTokens } from './ask-fields';
import { budgetForFile, type Budget } from './budget';
import { inARow } from './in-a-row';
import { joinAnswers } from './join-answers';
import { shrinkOf } from './refused-tries';
import { fileRequest } from './requests';
import { Tally } from './tally';

/** A text file beyond this is not notes any more; it would also not fit into memory twice. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** One file: read, turned into text, asked about whole (in parts when long), and merged into one answer. */
export async function runFileStep(step: StepRow, context: StepContext): Promise<StepOutcome> {
  const tally = new Tally();
  const path = step.file?.path ?? '';
  const refusal = context.extractor.refusal(path);
  if (refusal) return tally.failed(refusal);
  const read = await context.folder.read(path, MAX_FILE_BYTES);
  if (!read.ok) return tally.failed(read.failure);
  const file = await fingerprint(context, read.value);
  const extracted = await context.extractor.extract(path, read.value.bytes);
  if (!extracted.ok) return tally.failed(extracted.failure, file);
  const { options } = context.task;
  const budget = budgetForFile(
    options.template,
    context.contextTokens,
    context.extractor.estimateTokens(options.instructions) + fieldsTokens(context),
    shrinkOf(step),
  );
  const parts = context.extractor.split(extracted.value.text, budget.matterTokens);
  const reading: Reading = {
    format: extracted.value.format,
    encoding: extracted.value.encoding,
    characters: extracted.value.text.length,
    parts: parts.length,
  };
  const answers = await askParts(context, extracted.value, budget, tally);
  if (!answers.ok) return tally.failed(answers.failure, file, reading);
  const whole = await wholeOf(context, answers.value, tally);
  if (!whole.ok) return tally.failed(whole.failure, file, reading);
  return tally.done(whole.value, { file, reading, guessedEncoding: extracted.value.guessedEncoding });
}

async function fingerprint(context: StepContext, file: FolderFile): Promise<FileFingerprint> {
  const digest = await context.digest.bytes(file.bytes);
  return { path: file.path, sizeBytes: file.sizeBytes, modifiedMs: file.modifiedMs, digest };
}

async function askParts(
  context: StepContext,
  { text, format }: ExtractedText,
  budget: Budget,
  tally: Tally,
): Promise<Result<readonly Inference[]>> {
  const parts = context.extractor.split(text, budget.matterTokens);
  const count = parts.length;
  const asked = parts.map(async (part) => {
    const piece = { text: part.text, format, index: part.index, count };
    const request = (maxTokens: number) => fileRequest(context.task.options, piece, maxTokens);
    const answer = context.task.options.fields
      ? await askFields(context, budget.answerTokens, tally, request)
      : await ask(context, budget.answerTokens, request);
    if (answer.ok) {
      tally.add(answer.value);
      if (count > 1) context.savePart(part.index, answer.value);
    }
    return answer;
  });
  return allAnswers(context, asked);
}

/** A translation is not merged: its parts are put in a row. */
async function wholeOf(context: StepContext, answers: readonly Inference[], tally: Tally): Promise<Result<Inference>> {
  const [first] = answers;
  if (!first) return fail(failure('file_empty'));
  if (answers.length === 1) return ok(first);
  if (context.task.options.template === 'translate') return ok(await inARow(context, answers));
  if (context.task.options.fields) return ok(await fieldsInARow(context, answers));
  return joinAnswers(context, answers, tally);
}
