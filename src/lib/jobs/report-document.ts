import { REPORT_SECTIONS } from '../core/model';
import { resultPath } from '../core/safe-name';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';
import { confinedMarkdown } from './confined-markdown';
import { noteOf, reportWords, stateWord, type ReportWords } from './report-words';
import { wordingFor } from './wording';

/** What engines that need no language model are called. */
const QUOTING = 'built-in/';
/** A file that a task came from can name as many as it likes. */
const MOST_NAMES = 6;

export interface ReportMatter {
  readonly task: TaskRow;
  /** Every one whose answers are in it. */
  readonly models: readonly string[];
  /** Texts of the sections, in the order of `REPORT_SECTIONS`. */
  readonly sections: readonly string[];
  readonly files: readonly StepRow[];
}

/**
 * The report as Markdown: what was asked, the sections, and every file with its state. Made of stored rows alone, with
 * no time in it, so that the same results make the same report byte for byte.
 */
export function composeReport({ task, models, sections, files }: ReportMatter): string {
  const words = reportWords(task.options.language);
  const headings = wordingFor(task.options.language).sections;
  const done = files.filter((file) => file.status === 'done').length;
  const failed = files.filter((file) => file.status === 'failed').length;
  const skipped = files.filter((file) => file.status === 'skipped').length;
  const facts = [
    words.files(done, files.length),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(skipped > 0 ? [words.skipped(skipped)] : []),
    words.model(models.map(shownName), MOST_NAMES),
  ];
  const wish = task.options.instructions.trim();
  return [
    `# ${escapeMarkdown(task.name)}`,
    facts.map(escapeMarkdown).join(' · '),
    ...quotedNote(words, models),
    ...(wish === '' ? [] : [`> ${words.instructions}: ${escapeMarkdown(wish)}`]),
    ...REPORT_SECTIONS.flatMap((section, index) => [
      `## ${headings[section].heading}`,
      sectionBody(sections[index] ?? '', headings[section].heading),
    ]),
    `## ${words.appendix}`,
    [
      `| ${words.columns.join(' | ')} |`,
      '| --- | --- | --- |',
      ...files.map(
        (file) => `| ${fileCell(file)} | ${stateWord(words, file)} | ${escapeMarkdown(noteOf(words, file))} |`,
      ),
    ].join('\n'),
    '',
  ].join('\n\n');
}

function shownName(model: string): string {
  return model.startsWith(QUOTING) ? model.slice(QUOTING.length) : model;
}

/** Answers that are no model's own words. */
function quotedNote(words: ReportWords, models: readonly string[]): readonly string[] {
  const quoting = models.filter((model) => model.startsWith(QUOTING)).length;
  if (quoting === 0) return [];
  return [`*${quoting === models.length ? words.noLanguageModel : words.partlyNoLanguageModel}*`];
}

/** The section's text without a heading of its own, deeper headings kept below ours. */
function sectionBody(text: string, heading: string): string {
  const lines = text.trim().split('\n');
  const first = (lines[0] ?? '').replace(/[#*:：\s]/g, '').toLowerCase();
  const body = first === heading.replace(/\s/g, '').toLowerCase() ? lines.slice(1) : lines;
  return confinedMarkdown(body.join('\n'));
}

function fileCell(step: StepRow): string {
  const path = step.file?.path ?? step.key;
  const name = escapeMarkdown(path);
  if (step.status !== 'done') return name;
  const link = resultPath(path, '.md').split('/').map(encodeURIComponent).join('/').replace(/[()]/g, percentEncoded);
  return `[${name}](results/${link})`;
}

/** Left alone by `encodeURIComponent`, but an end of the address to Markdown. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

/** Names and wishes are data: no mark of theirs is read as Markdown or HTML, no bare address becomes a link. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+!|<>~&@]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/[\r\n]+(?=.)/g, ' ');
}
