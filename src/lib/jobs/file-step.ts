import { failure, type Failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import { resultKey } from '../core/ids';
import type { ExtractedText } from '../core/extraction';
import type { FolderFile } from '../core/ports';
import type { FileFingerprint, Reading, StepRow } from '../core/step';
import type { Inference, StepContext, StepOutcome } from '../engine/job';
import { ask } from './ask';
import { budgetForFile, type Budget } from './budget';
import { fileRequest, joinRequest } from './requests';
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
    context.extractor.estimateTokens(options.instructions),
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
  const whole = await joinAnswers(context, answers.value, budget, tally);
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
  const asked = await Promise.all(
    parts.map(async (part) => {
      const piece = { text: part.text, format, index: part.index, count };
      const answer = await ask(context, budget.answerTokens, (maxTokens) =>
        fileRequest(context.task.options, piece, maxTokens),
      );
      if (answer.ok) {
        tally.add(answer.value);
        if (count > 1) context.savePart(part.index, answer.value);
      }
      return answer;
    }),
  );
  return all(asked);
}

/** Level by level, so that no request grows with the file. A translation is not merged: its parts are put in a row. */
async function joinAnswers(
  context: StepContext,
  answers: readonly Inference[],
  budget: Budget,
  tally: Tally,
): Promise<Result<Inference>> {
  const [first] = answers;
  if (!first) return fail(failure('file_empty'));
  if (answers.length === 1) return ok(first);
  if (context.task.options.template === 'translate') return ok(await inARow(context, answers));
  let level = answers;
  let saved = answers.length;
  while (level.length > 1) {
    const groups = groupsOf(context, level, budget.matterTokens);
    const joined = await Promise.all(
      groups.map(async (group) => {
        const [only] = group;
        if (group.length === 1 && only) return ok(only);
        const texts = group.map(({ text }) => text);
        const answer = await ask(context, budget.answerTokens, (maxTokens) =>
          joinRequest(context.task.options, texts, maxTokens),
        );
        if (answer.ok) tally.add(answer.value);
        return answer;
      }),
    );
    const next = all(joined);
    if (!next.ok) return next;
    if (next.value.length > 1) for (const answer of next.value) context.savePart(saved++, answer);
    level = next.value;
  }
  const [whole] = level;
  return whole ? ok(whole) : fail(failure('file_empty'));
}

/** Neighbours that fit one request together, always at least two: the level above is at most half as long. */
function groupsOf(context: StepContext, answers: readonly Inference[], matterTokens: number): readonly Inference[][] {
  const groups: Inference[][] = [];
  let tokens = 0;
  for (const answer of answers) {
    const length = context.extractor.estimateTokens(answer.text);
    const last = groups.at(-1);
    if (!last || (last.length > 1 && tokens + length > matterTokens)) {
      groups.push([answer]);
      tokens = length;
    } else {
      last.push(answer);
      tokens += length;
    }
  }
  return groups;
}

async function inARow(context: StepContext, answers: readonly Inference[]): Promise<Inference> {
  const [first] = answers;
  const hash = await context.digest.text(answers.map((answer) => answer.resultKey).join('\n'));
  const text = answers.map((answer) => answer.text).join('\n\n');
  const isWhole = answers.every((answer) => answer.row.reusable);
  const key = resultKey(isWhole ? hash : `${hash}/${context.task.id}`);
  const model = first?.row.model ?? '';
  const nowMs = first?.row.createdMs ?? 0;
  const finishReason = isWhole ? 'stop' : 'length';
  const usage = { promptTokens: 0, completionTokens: 0, estimated: false };
  return {
    text,
    inputHash: hash,
    resultKey: key,
    finishReason,
    usage,
    reused: answers.every((answer) => answer.reused),
    row: {
      v: 1,
      key,
      reusable: isWhole,
      output: text,
      finishReason,
      usage,
      model,
      createdMs: nowMs,
      lastUsedMs: nowMs,
    },
  };
}

function all(answers: readonly Result<Inference>[]): Result<readonly Inference[]> {
  const lost = answers.find((answer): answer is { ok: false; failure: Failure } => !answer.ok);
  return lost ?? ok(answers.flatMap((answer) => (answer.ok ? [answer.value] : [])));
}
