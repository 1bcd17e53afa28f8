import { sentencesOf } from './sentences';

/** A note read back, from this engine or from a language model that answered in the same form or freely. */
export interface ParsedNote {
  readonly kind: string | null;
  readonly sentences: readonly string[];
  readonly data: readonly string[];
}

const TOPIC = /^(?:type and topic|类型与主题)$/i;
const DATA = /^(?:important data|重要数据)$/i;
const LABEL =
  /^\s*(?:[-*]\s+)?(?:\*\*([^*]{2,40}?)\s*[:：]?\s*\*\*\s*[:：]?|(type and topic|key points|important data|on what was asked|类型与主题|要点|重要数据|与要求相关)\s*[:：])\s*(.*)$/i;

export function parseNote(text: string): ParsedNote {
  let kind: string | null = null;
  let isData = false;
  const prose: string[] = [];
  const data: string[] = [];
  for (const line of text.split('\n')) {
    const match = LABEL.exec(line);
    const label = (match?.[1] ?? match?.[2] ?? '').trim();
    if (match && TOPIC.test(label)) {
      kind = (match[3] ?? '').split(' — ')[0]?.trim() ?? null;
      isData = false;
    } else if (match) {
      isData = DATA.test(label);
      (isData ? data : prose).push(...[match[3] ?? ''].filter((rest) => rest.trim() !== ''));
    } else if (isData && line.trim() !== '') data.push(line.replace(/^\s*[-*•]\s+/, '').trim());
    else prose.push(line);
  }
  return { kind, sentences: sentencesOf(prose.join('\n')).map((sentence) => sentence.text), data };
}
