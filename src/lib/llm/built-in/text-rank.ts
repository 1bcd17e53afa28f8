const DAMPING = 0.85;
const ROUNDS = 20;
/** Ranking compares every two sentences, so long texts are ranked in blocks, and the best of the blocks again. */
const BLOCK = 120;
const KEPT_SHARE = 0.25;

export interface Ranked {
  /** Place among the given sentences. */
  readonly index: number;
  /** From 0 to 1, 1 for the best. */
  readonly rank: number;
}

/**
 * TextRank (Mihalcea and Tarau, 2004) over sentences given as sets of words: a sentence counts by how much it shares
 * with others that count. Those in `always` reach the last round, however their block ranks them.
 */
export function rankSentences(words: readonly ReadonlySet<string>[], always: ReadonlySet<number>): readonly Ranked[] {
  let kept = words.map((_, index) => index);
  while (kept.length > BLOCK) {
    const next = blocksOf(kept).flatMap((block) => bestOf(block, words, always));
    if (next.length === kept.length) break;
    kept = next;
  }
  const blocks = blocksOf(kept);
  return blocks.flatMap((block) => rankBlock(block, words));
}

function blocksOf(indexes: readonly number[]): readonly (readonly number[])[] {
  const blocks: number[][] = [];
  for (let start = 0; start < indexes.length; start += BLOCK) blocks.push(indexes.slice(start, start + BLOCK));
  return blocks;
}

function bestOf(
  block: readonly number[],
  words: readonly ReadonlySet<string>[],
  always: ReadonlySet<number>,
): readonly number[] {
  const count = Math.max(1, Math.ceil(block.length * KEPT_SHARE));
  const ranked = [...rankBlock(block, words)].sort((a, b) => b.rank - a.rank || a.index - b.index);
  const best = new Set(ranked.slice(0, count).map(({ index }) => index));
  return block.filter((index) => best.has(index) || always.has(index));
}

function rankBlock(block: readonly number[], words: readonly ReadonlySet<string>[]): readonly Ranked[] {
  const sets = block.map((index) => words[index] ?? new Set<string>());
  const weights = similarities(sets);
  const sums = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let ranks = block.map(() => 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    ranks = block.map((_, i) => {
      const received = ranks.reduce((sum, rank, j) => {
        const weight = weights[j]?.[i] ?? 0;
        return weight === 0 ? sum : sum + (rank * weight) / (sums[j] ?? 1);
      }, 0);
      return 1 - DAMPING + DAMPING * received;
    });
  }
  const highest = Math.max(...ranks, Number.MIN_VALUE);
  return block.map((index, i) => ({ index, rank: (ranks[i] ?? 0) / highest }));
}

function similarities(sets: readonly ReadonlySet<string>[]): readonly (readonly number[])[] {
  const rows: number[][] = sets.map(() => new Array<number>(sets.length).fill(0));
  rows.forEach((row, i) => {
    for (let j = i + 1; j < sets.length; j += 1) {
      const weight = similarity(sets[i] ?? new Set(), sets[j] ?? new Set());
      const mirrored = rows[j];
      row[j] = weight;
      if (mirrored !== undefined) mirrored[i] = weight;
    }
  });
  return rows;
}

/** Shared words, against lengths; a sentence of one word is like nothing. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < 2) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared === 0 ? 0 : shared / (Math.log(a.size) + Math.log(b.size));
}
