import type { TextPart } from '../core/extraction';
import { LEVELS, unitsOf, type Level } from './text-units';
import { NO_TOKENS, addMeasures, estimateTokens, measureTokens, tokensOf, type TokenMeasure } from './tokens';

interface Unit {
  readonly text: string;
  readonly measure: TokenMeasure;
}

/** No UTF-16 unit takes less than a byte, nor a token more than four. */
const UNITS_PER_TOKEN = 4;
/** Nothing is estimated at more than about two tokens a UTF-16 unit. */
const MAX_TOKENS_PER_UNIT = 2;

/**
 * Pieces of at most `maxTokens`, cut at paragraph ends where that is enough, else at the ends of lines, sentences,
 * words, characters as seen. A single character longer than the limit stays whole down to its code points.
 */
export function splitText(text: string, maxTokens: number): readonly TextPart[] {
  const limit = Math.max(1, Math.floor(maxTokens));
  const parts: TextPart[] = [];
  let held: Unit[] = [];
  let sum = NO_TOKENS;
  const flush = () => {
    const { count, piece, tokens } = longestFitting(held, limit);
    parts.push({ index: parts.length, text: piece, tokens });
    held = held.slice(count);
    sum = held.reduce((total, unit) => addMeasures(total, unit.measure), NO_TOKENS);
  };
  for (const unit of fittingUnits(text, 0, limit)) {
    while (held.length > 0 && tokensOf(addMeasures(sum, unit.measure)) > limit) flush();
    held.push(unit);
    sum = addMeasures(sum, unit.measure);
  }
  while (held.length > 0) flush();
  return parts;
}

/** Measures add up only about, so a piece is measured whole and gives back what is too much. */
function longestFitting(units: readonly Unit[], limit: number): { count: number; piece: string; tokens: number } {
  let count = units.length;
  for (;;) {
    const piece = units
      .slice(0, count)
      .map((unit) => unit.text)
      .join('');
    const tokens = estimateTokens(piece);
    if (tokens <= limit || count === 1) return { count, piece, tokens };
    count = Math.max(1, Math.min(count - 1, Math.floor((count * limit) / tokens)));
  }
}

function* fittingUnits(text: string, depth: number, limit: number): Generator<Unit> {
  const level = LEVELS[depth];
  if (level === undefined) {
    yield* codePointUnits(text, limit);
    return;
  }
  for (const unit of level === 'grapheme' ? graphemeRuns(text, limit) : unitsOf(text, level)) {
    const measure = unit.length > limit * UNITS_PER_TOKEN ? null : measureTokens(unit);
    if (measure !== null && tokensOf(measure) <= limit) yield { text: unit, measure };
    else yield* fittingUnits(unit, depth + 1, limit);
  }
}

/** Characters one by one would each count a whole token; runs of them are priced as the text they are. */
function* graphemeRuns(text: string, limit: number): Generator<string> {
  const longest = Math.max(1, Math.floor(limit / MAX_TOKENS_PER_UNIT));
  let run = '';
  for (const grapheme of unitsOf(text, 'grapheme' satisfies Level)) {
    if (run !== '' && run.length + grapheme.length > longest) {
      yield run;
      run = '';
    }
    run += grapheme;
  }
  if (run !== '') yield run;
}

function* codePointUnits(text: string, limit: number): Generator<Unit> {
  const longest = Math.max(1, Math.floor(limit / MAX_TOKENS_PER_UNIT / 2));
  const characters = [...text];
  for (let index = 0; index < characters.length; index += longest) {
    const run = characters.slice(index, index + longest).join('');
    yield { text: run, measure: measureTokens(run) };
  }
}
