import type { Language } from '../core/language';
import type { ReportSection } from '../core/model';
import type { Template } from '../core/task';
import { wordingEn } from './wording-en';
import { wordingZhCn } from './wording-zh-cn';

/** Everything that is said to a model, in one language. Changing a word here makes every request a new one. */
export interface Wording {
  readonly system: Readonly<Record<Template | 'join' | 'condense' | 'merge' | 'section', string>>;
  readonly sections: Readonly<Record<ReportSection, { readonly heading: string; readonly ask: string }>>;
  readonly wish: (wish: string) => string;
  readonly question: (question: string) => string;
  readonly classes: (classes: string) => string;
  readonly target: (target: string) => string;
  /** Lines of fields, each with its type and what is meant. */
  readonly fields: (lines: readonly string[]) => string;
  readonly repair: (why: string) => string;
  readonly defaultTarget: string;
  readonly part: (index: number, count: number) => string;
  readonly length: (words: number) => string;
  readonly format: (format: string) => string;
  readonly file: (path: string) => string;
}

const WORDINGS: Readonly<Record<Language, Wording>> = { en: wordingEn, 'zh-CN': wordingZhCn };

export function wordingFor(language: Language): Wording {
  return WORDINGS[language];
}
