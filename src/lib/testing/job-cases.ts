import { failure } from '../core/failure';
import type { Completion } from '../core/model';
import { fail, type Result } from '../core/result';
import type { BatchOptions } from '../core/task';
import type { FakeFolder } from './fake-folder';
import { answer, type ScriptedCall } from './scripted-model';

/** A task to disturb: what is in its folder and how its model answers, as a function of the request alone. */
export interface JobCase {
  readonly name: string;
  readonly options: Partial<BatchOptions>;
  readonly contextTokens: number | null;
  fill(folder: FakeFolder): void;
  /** `times` counts how often the same request was made, this one included. */
  answer(call: ScriptedCall, times: number): Result<Completion>;
}

const SHORT = 6;

function shortText(n: number): string {
  return `Note ${String(n)}: the measured value is ${String(n * 37 + 11)}.`;
}

function about({ request, matter }: ScriptedCall): Result<Completion> {
  const { material } = request;
  const what = material.what === 'section' ? material.section : material.what;
  return answer(`${what} ${sumOf(matter)}: ${matter.slice(0, 40).replace(/\s+/g, ' ')}`);
}

/** Of the whole text: an answer tells all of what it was asked about. */
function sumOf(text: string): string {
  return [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7).toString(36);
}

/** Every file fits one request, all notes fit one request. */
export const SHORT_FILES: JobCase = {
  name: 'a summary of short files',
  options: { concurrency: 3 },
  contextTokens: null,
  fill(folder) {
    for (let n = 0; n < SHORT; n += 1) folder.put(`note-${String(n)}.txt`, shortText(n));
  },
  answer: about,
};

/** Files are asked about in parts that are joined, and the notes need merging before the report is written. */
export const LONG_FILES: JobCase = {
  name: 'a summary of files that are split and merged',
  options: { concurrency: 3 },
  contextTokens: 1_200,
  fill(folder) {
    for (let n = 0; n < 4; n += 1) {
      const lines = Array.from({ length: n < 2 ? 60 : 12 }, (_, line) => shortText(n * 1_000 + line));
      folder.put(`long-${String(n)}.txt`, lines.join('\n'));
    }
  },
  answer(call) {
    const said = about(call);
    const isNote = ['file', 'part', 'join'].includes(call.request.material.what);
    return said.ok && isNote ? answer(`${said.value.text}. ${'Values were measured. '.repeat(36)}`) : said;
  },
};

/** One file of each fate: done, done at the third try, refused, empty, of a kind that cannot be read. */
export const WITH_FAILURES: JobCase = {
  name: 'a task with failures',
  options: { concurrency: 2, template: 'question', instructions: 'Which value was measured?' },
  contextTokens: null,
  fill(folder) {
    for (let n = 0; n < 3; n += 1) folder.put(`good-${String(n)}.txt`, shortText(n));
    folder.put('shaky.txt', 'Shaky: the server stumbles over it twice.');
    folder.put('refused.txt', 'Refused: the server will not have it.');
    folder.put('empty.txt', '  \n');
    folder.put('scan.pdf', '%PDF-1.7');
  },
  answer(call, times) {
    if (call.matter.startsWith('Refused')) return fail(failure('request_rejected'));
    if (call.matter.startsWith('Shaky') && times <= 2) return fail(failure('server_fault'));
    return about(call);
  },
};

export const JOB_CASES: readonly JobCase[] = [SHORT_FILES, LONG_FILES, WITH_FAILURES];
