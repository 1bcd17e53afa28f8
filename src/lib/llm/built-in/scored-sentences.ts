import { conclusionCue, tellsTrouble } from './cues';
import { keywordsOf } from './keywords';
import { rankSentences } from './text-rank';
import { contentWords } from './words';

export interface ScoredSentence {
  readonly text: string;
  readonly index: number;
  readonly words: ReadonlySet<string>;
  readonly score: number;
  readonly cue: 0 | 1 | 2;
  /** How many of the words that were asked about it has. */
  readonly asked: number;
}

export interface ScoredText {
  readonly sentences: readonly ScoredSentence[];
  /** Best first. */
  readonly keywords: readonly string[];
  /** Different words in what was asked. */
  readonly askedWords: number;
}

const WEIGHTS = { rank: 0.55, keywords: 0.25, lead: 0.15, trouble: 0.2, cue: 0.3, asked: 0.8 };
const KEYWORDS = 12;
const LEAD_SENTENCES = 2;
/** The last ones of many: conclusions stand at the end. */
const MAX_ALWAYS_RANKED = 40;
const SHORT_WORDS = 3;
/** A line without a full stop in a text of sentences is a heading or a field. */
const UNFINISHED = 0.6;

/** Scores sentences by TextRank, keywords, place, cues, and what was asked. `ordered` texts lead with what matters. */
export function scoreSentences(texts: readonly string[], ask: string, ordered: boolean): ScoredText {
  const lists = texts.map(contentWords);
  const sets = lists.map((words) => new Set(words));
  const cues = texts.map(conclusionCue);
  const keywords = keywordsOf(lists, KEYWORDS);
  const keywordSet = new Set(keywords);
  const asked = new Set(contentWords(ask));
  const special = texts.flatMap((_, index) => ((cues[index] ?? 0) > 0 ? [index] : []));
  const troubles = texts.flatMap((text, index) => (tellsTrouble(text) ? [index] : []));
  const matching = sets.flatMap((words, index) => (countShared(words, asked) > 0 ? [index] : []));
  const always = new Set([
    ...special.filter((index) => cues[index] === 2).slice(-MAX_ALWAYS_RANKED),
    ...special.slice(-MAX_ALWAYS_RANKED),
    ...troubles.slice(0, MAX_ALWAYS_RANKED),
    ...matching.slice(0, MAX_ALWAYS_RANKED),
  ]);
  const sentences = rankSentences(sets, always).map(({ index, rank }) => {
    const text = texts[index] ?? '';
    const words = sets[index] ?? new Set<string>();
    const cue = cues[index] ?? 0;
    const shared = countShared(words, asked);
    const score =
      WEIGHTS.rank * rank +
      (WEIGHTS.keywords * countShared(words, keywordSet)) / Math.max(4, words.size) +
      (ordered && index < LEAD_SENTENCES && isFinished(text) ? WEIGHTS.lead : 0) +
      (tellsTrouble(text) ? WEIGHTS.trouble : 0) +
      WEIGHTS.cue * cue +
      (asked.size === 0 ? 0 : (WEIGHTS.asked * shared) / asked.size);
    const isWeak = cue === 0 && (words.size < SHORT_WORDS || !isFinished(text));
    return { text, index, words, cue, asked: shared, score: isWeak ? score * UNFINISHED : score };
  });
  return { sentences, keywords, askedWords: asked.size };
}

function isFinished(text: string): boolean {
  return /[.!?。！？…]["'”’）)】\]]*$/.test(text);
}

function countShared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared;
}
