import type { Language } from '../../core/language';
import type { ReportSection } from '../../core/model';
import { chooseSentences, takeDifferent } from './choose-sentences';
import { labelsFor, type Labels } from './labels';
import { bullets, clip, quote, type Room } from './note';
import { mergedData } from './merged-note';
import { parseNote, type ParsedNote } from './parse-note';
import { scoreSentences, type ScoredText } from './scored-sentences';
import { sharedPatterns } from './shared-patterns';

const MAX_FINDINGS = 8;
const MAX_CONCLUSIONS = 6;
const MAX_DATA = 6;

/** A section of the report, put together from what the notes quote. */
export function writeSection(
  section: ReportSection,
  texts: readonly string[],
  ask: string,
  language: Language,
  room: Room,
): string {
  const labels = labelsFor(language);
  const notes = texts.map(parseNote);
  const quotes = notes.flatMap((note) => note.sentences);
  const scored = scoreSentences(quotes.length > 0 ? quotes : [labels.noText], ask, false);
  return fitLines(linesOf(section, scored, notes, labels), section === 'executive_summary', labels, room);
}

function linesOf(
  section: ReportSection,
  scored: ScoredText,
  notes: readonly ParsedNote[],
  labels: Labels,
): readonly string[] {
  switch (section) {
    case 'executive_summary':
      return textsOf(chooseSentences(scored.sentences, notes.length < 4 ? 3 : 5));
    case 'main_findings': {
      const findings = [...chooseSentences(scored.sentences, MAX_FINDINGS)].sort((a, b) => b.score - a.score);
      return [...textsOf(findings), ...mergedData(notes).slice(0, MAX_DATA)];
    }
    case 'patterns': {
      const patterns = sharedPatterns(notes, labels);
      return patterns.length === 0 ? [labels.noPatterns] : patterns;
    }
    case 'conclusions': {
      const concluding = scored.sentences
        .filter(({ cue }) => cue > 0)
        .sort((a, b) => b.cue - a.cue || b.score - a.score || a.index - b.index);
      return concluding.length === 0 ? [labels.noConclusions] : textsOf(takeDifferent(concluding, MAX_CONCLUSIONS));
    }
  }
}

function fitLines(lines: readonly string[], asProse: boolean, labels: Labels, room: Room): string {
  const isStatement =
    lines.length === 1 && [labels.noConclusions, labels.noPatterns, labels.noText].includes(lines[0] ?? '');
  const layOut = (kept: readonly string[]) => (asProse || isStatement ? prose(kept, labels) : bullets(kept));
  let kept = lines;
  while (kept.length > 1 && room.estimateTokens(layOut(kept)) > room.maxTokens) kept = kept.slice(0, -1);
  return clip(layOut(kept), room);
}

function prose(sentences: readonly string[], labels: Labels): string {
  return sentences
    .map(quote)
    .map((sentence) => (/[.!?…。！？”"]$/.test(sentence) ? sentence : sentence + labels.fullStop))
    .join(labels.sentenceSeparator);
}

function textsOf(sentences: ScoredText['sentences']): readonly string[] {
  return sentences.map((sentence) => sentence.text);
}
