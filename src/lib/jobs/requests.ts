import { fieldsSchema, type FieldSpec } from '../core/fields';
import type { ModelRequest, ReportSection } from '../core/model';
import type { BatchOptions } from '../core/task';
import { wordingFor, type Wording } from './wording';

/** A text with the name it goes by in a report. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

const FILE_TEMPERATURE = 0.1;
const REPORT_TEMPERATURE = 0.3;
/** Models count words better than tokens. */
const WORDS_PER_TOKEN = 0.6;
/** A fence longer than this would cost more than the text it stands around. */
const MAX_FENCE = 64;

interface Piece {
  readonly text: string;
  readonly format: string;
  readonly index: number;
  readonly count: number;
}

/**
 * Asks about a file or a piece of one. The wording comes first and the text last, so that servers which keep a shared
 * prefix read it once. The path is left out: equal texts are asked about once, wherever they lie.
 */
export function fileRequest(options: BatchOptions, piece: Piece, maxTokens: number): ModelRequest {
  const wording = wordingFor(options.language);
  const lines = [...askLines(options, wording), wording.format(piece.format)];
  if (piece.count > 1) lines.push(wording.part(piece.index, piece.count));
  return {
    ...(options.fields ? { schema: fieldsSchema(options.fields) } : {}),
    messages: [
      { role: 'system', content: wording.system[options.template] },
      { role: 'user', content: `${lines.join('\n')}\n\n${fenced(piece.text)}` },
    ],
    temperature: FILE_TEMPERATURE,
    maxTokens,
    material: {
      what: piece.count > 1 ? 'part' : 'file',
      text: piece.text,
      language: options.language,
      ask: options.instructions,
      ...(options.fields ? { fields: options.fields } : {}),
    },
  };
}

/** Asks once more after an answer that did not fit, with what was wrong with it. */
export function repairRequest(options: BatchOptions, request: ModelRequest, answer: string, why: string): ModelRequest {
  const { repair } = wordingFor(options.language);
  return {
    ...request,
    messages: [...request.messages, { role: 'assistant', content: answer }, { role: 'user', content: repair(why) }],
  };
}

/** Joins the notes on the pieces of one file. */
export function joinRequest(options: BatchOptions, texts: readonly string[], maxTokens: number): ModelRequest {
  const wording = wordingFor(options.language);
  return {
    messages: [
      { role: 'system', content: wording.system.join },
      { role: 'user', content: [...askLines(options, wording), '', ...texts.map(fenced)].join('\n') },
    ],
    temperature: FILE_TEMPERATURE,
    maxTokens,
    material: { what: 'join', texts, language: options.language, ask: options.instructions },
  };
}

/** A piece of a result that is too long to be put beside others, made into notes of at most `noteTokens`. */
export function condenseRequest(
  options: BatchOptions,
  text: string,
  noteTokens: number,
  maxTokens: number,
): ModelRequest {
  const wording = wordingFor(options.language);
  const lines = [...askLines(options, wording), wording.length(Math.max(10, Math.floor(noteTokens * WORDS_PER_TOKEN)))];
  return {
    messages: [
      { role: 'system', content: wording.system.condense },
      { role: 'user', content: `${lines.join('\n')}\n\n${fenced(text)}` },
    ],
    temperature: REPORT_TEMPERATURE,
    maxTokens,
    material: { what: 'part', text, language: options.language, ask: options.instructions },
  };
}

/** Merges the notes on several files into one level of the report tree. */
export function mergeRequest(options: BatchOptions, texts: readonly NamedText[], maxTokens: number): ModelRequest {
  const wording = wordingFor(options.language);
  return {
    messages: [
      { role: 'system', content: wording.system.merge },
      {
        role: 'user',
        content: [...askLines(options, wording), '', ...texts.map((text) => named(wording, text))].join('\n'),
      },
    ],
    temperature: REPORT_TEMPERATURE,
    maxTokens,
    material: {
      what: 'merge',
      texts: texts.map(({ text }) => text),
      language: options.language,
      ask: options.instructions,
    },
  };
}

export function sectionRequest(
  options: BatchOptions,
  section: ReportSection,
  texts: readonly NamedText[],
  maxTokens: number,
): ModelRequest {
  const wording = wordingFor(options.language);
  const matter = texts.map((text) => named(wording, text));
  return {
    messages: [
      { role: 'system', content: wording.system.section },
      {
        role: 'user',
        content: [...askLines(options, wording), '', ...matter, '', wording.sections[section].ask].join('\n'),
      },
    ],
    temperature: REPORT_TEMPERATURE,
    maxTokens,
    material: {
      what: 'section',
      section,
      texts: texts.map(({ text }) => text),
      language: options.language,
      ask: options.instructions,
    },
  };
}

function askLines(options: BatchOptions, wording: Wording): string[] {
  const wish = options.instructions.trim();
  switch (options.template) {
    case 'translate':
      return [wording.target(wish === '' ? wording.defaultTarget : wish)];
    case 'question':
      return [wording.question(wish)];
    case 'classify':
      return [wording.classes(wish)];
    case 'extract':
      return [wording.fields((options.fields ?? []).map(fieldWords)), ...(wish === '' ? [] : [wording.wish(wish)])];
    case 'summary':
      return wish === '' ? [] : [wording.wish(wish)];
  }
}

function fieldWords({ name, type, description }: FieldSpec): string {
  const what = description.trim();
  return `- ${name} (${type})${what === '' ? '' : `: ${what}`}`;
}

/** A file's name is as foreign as its text: it stands inside of the fence too. */
function named(wording: Wording, { name, text }: NamedText): string {
  return fenced(`${wording.file(name)}\n${text}`);
}

/** A fence that the text cannot close: one tilde longer than any run of tildes in it, or told apart by a number. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/~+/g)) longest = Math.max(longest, run.length);
  const fence = longest < MAX_FENCE ? '~'.repeat(longest + 1) : numberedFence(text);
  return `${fence}\n${text}\n${fence}`;
}

function numberedFence(text: string): string {
  let number = 1;
  while (text.includes(`~~~${String(number)}`)) number += 1;
  return `~~~${String(number)}`;
}
