import type { Language } from '../../core/language';
import type { ReportSection } from '../../core/model';
import { chooseSentences, takeDifferent } from './choose-sentences';
import { labelsFor, type Labels } from './labels';
import { mergedData } from './merged-note';
import { bullets, clip, quote, quoted, withoutLightest, type Quote, type Room } from './note';
import { parseNote, type ParsedNote } from './parse-note';
import { scoreSentences, type ScoredText } from './scored-sentences';
import { sharedPatterns } from './shared-patterns';

const FEW_NOTES = 4;
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
  const scored = scoreSentences(
    notes.flatMap((note) => note.sentences),
    ask,
    false,
  );
  switch (section) {
    case 'executive_summary': {
      const chosen = chooseSentences(scored.sentences, notes.length < FEW_NOTES ? 3 : 5);
      return fit(quoted(chosen), (quotes) => prose(quotes, labels), labels.noText, room);
    }
    case 'main_findings':
      return fit(findings(scored, notes), list, labels.noText, room);
    case 'patterns':
      return fit(weighted(sharedPatterns(notes, labels)), list, labels.noPatterns, room);
    case 'conclusions':
      return fit(conclusions(scored), list, labels.noConclusions, room);
  }
}

function findings(scored: ScoredText, notes: readonly ParsedNote[]): readonly Quote[] {
  const chosen = [...chooseSentences(scored.sentences, MAX_FINDINGS)].sort((a, b) => b.score - a.score);
  const isNew = (line: string) => {
    const [, clause] = line.split(' — ');
    return clause !== undefined && !chosen.some(({ text }) => text.includes(clause));
  };
  return [...quoted(chosen), ...weighted(mergedData(notes).filter(isNew).slice(0, MAX_DATA))];
}

function conclusions({ sentences }: ScoredText): readonly Quote[] {
  const concluding = sentences
    .filter(({ cue }) => cue > 0)
    .sort((a, b) => b.cue - a.cue || b.score - a.score || a.index - b.index);
  return quoted(takeDifferent(concluding, MAX_CONCLUSIONS));
}

/** Lines that come after the quotes: the later, the lighter. */
function weighted(lines: readonly string[]): readonly Quote[] {
  return lines.map((text, index) => ({ text, weight: -index - 1 }));
}

function fit(
  quotes: readonly Quote[],
  layOut: (quotes: readonly Quote[]) => string,
  whenNone: string,
  room: Room,
): string {
  if (quotes.length === 0) return whenNone;
  let kept = quotes;
  while (kept.length > 1 && room.estimateTokens(layOut(kept)) > room.maxTokens) kept = withoutLightest(kept);
  return clip(layOut(kept), room);
}

function list(quotes: readonly Quote[]): string {
  return bullets(quotes.map(({ text }) => text));
}

function prose(quotes: readonly Quote[], labels: Labels): string {
  return quotes
    .map(({ text }) => quote(text))
    .map((sentence) => (/[.!?…。！？”"]$/.test(sentence) ? sentence : sentence + labels.fullStop))
    .join(labels.sentenceSeparator);
}
