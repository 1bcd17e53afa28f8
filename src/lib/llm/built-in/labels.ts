import type { Language } from '../../core/language';
import type { DocumentKind } from './document-kind';

/** The few words of the engine's own; everything else it writes stands in the texts. */
export interface Labels {
  readonly typeAndTopic: string;
  readonly asked: string;
  readonly points: string;
  readonly data: string;
  readonly kinds: Readonly<Record<DocumentKind | 'notes', string>>;
  readonly sharedBy: (word: string, count: number, of: number) => string;
  readonly noPatterns: string;
  readonly noConclusions: string;
  readonly noText: string;
  readonly listSeparator: string;
  readonly sentenceSeparator: string;
  readonly fullStop: string;
}

const EN: Labels = {
  typeAndTopic: '**Type and topic:**',
  asked: '**On what was asked:**',
  points: '**Key points:**',
  data: '**Important data:**',
  kinds: {
    minutes: 'meeting notes',
    log: 'log',
    table: 'table',
    letter: 'letter or e-mail',
    contract: 'contract',
    report: 'report',
    interview: 'interview or conversation',
    code: 'source code',
    data: 'structured data',
    text: 'text',
    notes: 'notes on several texts',
  },
  sharedBy: (word, count, of) => `${word}: in ${String(count)} of ${String(of)} notes`,
  noPatterns: 'No word, date or figure comes up in more than one of the notes.',
  noConclusions: 'No explicit conclusions were found in the texts.',
  noText: 'The text holds nothing to quote.',
  listSeparator: ', ',
  sentenceSeparator: ' ',
  fullStop: '.',
};

const ZH: Labels = {
  typeAndTopic: '**类型与主题：**',
  asked: '**与要求相关：**',
  points: '**要点：**',
  data: '**重要数据：**',
  kinds: {
    minutes: '会议纪要',
    log: '日志',
    table: '表格',
    letter: '信件或邮件',
    contract: '合同',
    report: '报告',
    interview: '访谈或对话',
    code: '源代码',
    data: '结构化数据',
    text: '文本',
    notes: '多份文本的笔记',
  },
  sharedBy: (word, count, of) => `${word}：见于 ${String(of)} 份笔记中的 ${String(count)} 份`,
  noPatterns: '没有哪个词语、日期或数字在一份以上的笔记中出现。',
  noConclusions: '文本中没有找到明确的结论。',
  noText: '文本中没有可以引用的内容。',
  listSeparator: '、',
  sentenceSeparator: '',
  fullStop: '。',
};

const LABELS: Readonly<Record<Language, Labels>> = { en: EN, 'zh-CN': ZH };

export function labelsFor(language: Language): Labels {
  return LABELS[language];
}
