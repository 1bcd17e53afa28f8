import { fieldText, readFields, type FieldSpec } from '../core/fields';
import { resultPath } from '../core/safe-name';
import type { CheckpointStore } from '../core/ports';
import type { TaskRow } from '../core/task';
import type { OutputFile } from '../engine/job';
import { fileResults } from './file-results';
import { escapeMarkdown } from './report-document';
import { csvHeader, csvLine } from './results-csv';

/** The report first, since it is what the person looks for; then one file a result, and the table. */
export async function* batchOutput(store: CheckpointStore, task: TaskRow, report: string): AsyncIterable<OutputFile> {
  yield { path: 'report.md', content: report };
  const { fields } = task.options;
  const csv = [csvHeader(fields)];
  for await (const result of fileResults(store, task)) {
    csv.push(csvLine(result, fields));
    const { step, output } = result;
    // An answer that was lost is asked for again: what was written of it before is not to be emptied.
    if (step.status !== 'done' || !step.file || output === '') continue;
    const shown = fields ? fieldList(fields, output) : output;
    yield {
      path: `results/${resultPath(step.file.path, '.md')}`,
      content: `# ${escapeMarkdown(step.file.path)}\n\n${shown.trim()}\n`,
    };
  }
  yield { path: 'results.csv', content: csv.join('') };
}

/** What was found, as a list; an answer without fields as it came. */
function fieldList(fields: readonly FieldSpec[], output: string): string {
  const values = readFields(output);
  if (values === null) return output;
  const found = fields.map(({ name }) => ({ name, text: fieldText(values[name]) }));
  return found
    .map(({ name, text }) => `- **${escapeMarkdown(name)}:** ${text === '' ? '–' : escapeMarkdown(text)}`)
    .join('\n');
}
