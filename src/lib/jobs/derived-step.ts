import { failure } from '../core/failure';
import { fieldLines } from '../core/fields';
import type { StepKey } from '../core/ids';
import { REPORT_SECTIONS, type ReportSection } from '../core/model';
import { fail, ok, type Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { JobContext, StepContext, StepOutcome } from '../engine/job';
import { ask } from './ask';
import { reportRoom } from './report-room';
import { mergeRequest, sectionRequest, type NamedText } from './requests';
import { ShortenedNotes } from './shortened-notes';
import { Tally } from './tally';

const ABOUT_NO_FILE = { file: null, reading: null, guessedEncoding: false } as const;

/** A node of the report tree: the notes of its inputs merged, one of them condensed, or a section written from them. */
export async function runDerivedStep(step: StepRow, context: StepContext): Promise<StepOutcome> {
  const tally = new Tally();
  const { options } = context.task;
  const notes = await readNotes(context, step.inputs);
  if (!notes.ok) return tally.failed(notes.failure);
  const room = reportRoom(context);
  const shortened = new ShortenedNotes(step, context, room, tally);
  const [only] = notes.value;
  if (only && isCondensing(step)) {
    const condensed = await shortened.condensed(only.text, room.inputTokens);
    return condensed.ok ? tally.done(condensed.value, ABOUT_NO_FILE) : tally.failed(condensed.failure);
  }
  const texts = await shortened.fitting(notes.value);
  if (!texts.ok) return tally.failed(texts.failure);
  const section = sectionOf(step.key);
  const answer = await ask(context, room.answerTokens, (maxTokens) =>
    section ? sectionRequest(options, section, texts.value, maxTokens) : mergeRequest(options, texts.value, maxTokens),
  );
  if (!answer.ok) return tally.failed(answer.failure);
  tally.add(answer.value);
  return tally.done(answer.value, ABOUT_NO_FILE);
}

/** A merge of one: its input is too long to be put beside others, and is made shorter by itself. */
export function isCondensing(step: Pick<StepRow, 'type' | 'inputs'>): boolean {
  return step.type === 'merge' && step.inputs.length === 1;
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
    return result ? [{ name: nameOf(step), text: noteOf(context, step, result.output) }] : [];
  });
  return texts.length === keys.length
    ? ok(texts)
    : fail(failure('row_unreadable', { message: 'a result of the report tree is missing' }));
}

/** Fields are read in lines, as notes are. */
function noteOf({ task }: JobContext, step: StepRow, output: string): string {
  const { fields } = task.options;
  return step.type === 'file' && fields ? fieldLines(fields, output) : output;
}

function nameOf(step: StepRow): string {
  if (step.file) return step.file.path;
  const [only] = step.inputs;
  if (only && isCondensing(step)) return titleOf(only);
  return `${String(step.inputs.length)} × ${kindOf(step.key)}`;
}

/** What a report calls a step of which only the key is known: a file by its path. */
export function titleOf(key: StepKey): string {
  return key.startsWith('file/') ? key.slice('file/'.length) : kindOf(key);
}

function kindOf(key: StepKey): string {
  return key.split('/').slice(0, 2).join(' ');
}
