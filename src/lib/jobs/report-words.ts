import type { Language } from '../core/language';
import type { StepRow } from '../core/step';

/** Words of the report that we write ourselves. Reports stand alone, so they do not use the interface's messages. */
export interface ReportWords {
  readonly files: (done: number, total: number) => string;
  readonly failed: (count: number) => string;
  readonly skipped: (count: number) => string;
  readonly model: (names: readonly string[], most: number) => string;
  readonly noLanguageModel: string;
  readonly partlyNoLanguageModel: string;
  readonly instructions: string;
  readonly appendix: string;
  readonly columns: readonly [string, string, string];
  readonly states: Readonly<Record<'done' | 'reused' | 'failed' | 'skipped' | 'pending', string>>;
  readonly truncated: string;
  readonly inputCut: string;
  readonly guessedEncoding: (encoding: string) => string;
  readonly parts: (count: number) => string;
  readonly notes: Readonly<Record<'file_empty' | 'file_binary' | 'file_gone' | 'file_kind_unsupported', string>>;
  readonly code: (code: string) => string;
}

const en: ReportWords = {
  files: (done, total) => `${String(done)} of ${String(total)} files`,
  failed: (count) => `${String(count)} failed`,
  skipped: (count) => `${String(count)} skipped`,
  model: (names, most) => `${names.length > 1 ? 'Models' : 'Model'}: ${listed(names, most, ', ')}`,
  noLanguageModel: 'Made without a language model: every sentence is taken from the files.',
  partlyNoLanguageModel:
    'Made in part without a language model: what the built-in engine answered is sentences taken from the files.',
  instructions: 'Asked for',
  appendix: 'Appendix: every file',
  columns: ['File', 'State', 'Note'],
  states: { done: 'done', reused: 'done (answer reused)', failed: 'failed', skipped: 'skipped', pending: 'not read' },
  truncated: 'answer cut at the output limit',
  inputCut: 'input cut by the server: only a part was read',
  guessedEncoding: (encoding) => `encoding guessed: ${encoding}`,
  parts: (count) => `read in ${String(count)} parts`,
  notes: {
    file_empty: 'empty',
    file_binary: 'not a text',
    file_gone: 'no longer in the folder',
    file_kind_unsupported: 'kind of file not supported yet',
  },
  code: (code) => `reason: ${code}`,
};

const zhCN: ReportWords = {
  files: (done, total) => `共 ${String(total)} 个文件，完成 ${String(done)} 个`,
  failed: (count) => `失败 ${String(count)} 个`,
  skipped: (count) => `跳过 ${String(count)} 个`,
  model: (names, most) => `模型：${listed(names, most, '、')}`,
  noLanguageModel: '未使用语言模型：每一句都取自文件原文。',
  partlyNoLanguageModel: '部分内容未使用语言模型：内置引擎给出的句子取自文件原文。',
  instructions: '任务要求',
  appendix: '附录：全部文件',
  columns: ['文件', '状态', '备注'],
  states: { done: '完成', reused: '完成（沿用已有结果）', failed: '失败', skipped: '跳过', pending: '未读取' },
  truncated: '回答在输出上限处被截断',
  inputCut: '输入被服务器截断：只读了一部分',
  guessedEncoding: (encoding) => `编码为推测：${encoding}`,
  parts: (count) => `分 ${String(count)} 部分读取`,
  notes: {
    file_empty: '空文件',
    file_binary: '不是文本',
    file_gone: '已不在文件夹中',
    file_kind_unsupported: '暂不支持的文件类型',
  },
  code: (code) => `原因：${code}`,
};

function listed(names: readonly string[], most: number, separator: string): string {
  return [...names.slice(0, most), ...(names.length > most ? ['…'] : [])].join(separator);
}

export function reportWords(language: Language): ReportWords {
  return language === 'zh-CN' ? zhCN : en;
}

export function stateWord(words: ReportWords, step: StepRow): string {
  if (step.status === 'done') return step.flags.reused ? words.states.reused : words.states.done;
  return step.status === 'running' ? words.states.pending : words.states[step.status];
}

export function noteOf(words: ReportWords, step: StepRow): string {
  const notes: string[] = [];
  if (step.failure) notes.push(failureNote(words, step.failure.code));
  if (step.flags.truncated) notes.push(words.truncated);
  if (step.flags.inputCut) notes.push(words.inputCut);
  if (step.flags.guessedEncoding && step.reading) notes.push(words.guessedEncoding(step.reading.encoding));
  if (step.reading && step.reading.parts > 1) notes.push(words.parts(step.reading.parts));
  return notes.join('; ');
}

function failureNote(words: ReportWords, code: string): string {
  const notes: Readonly<Record<string, string>> = words.notes;
  return notes[code] ?? words.code(code);
}
