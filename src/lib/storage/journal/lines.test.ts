import { describe, expect, it } from 'vitest';
import { sampleCommit, sampleResult, sampleStep, sampleTask } from '../../testing/sample-rows';
import { checksum } from './checksum';
import { decodeLine, encodeLine, readLines, seqAtEnd, TAIL_BYTES, type Line } from './lines';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function commitLine(seq: number, output: string): Line {
  const commit = sampleCommit(sampleTask(), {
    steps: [sampleStep(`文件 ${String(seq)}\t.txt`)],
    results: [sampleResult('r', { output })],
  });
  return { entry: { what: 'commit', commit }, seq };
}

async function linesOf(bytes: Uint8Array, pieceBytes: number): Promise<Line[]> {
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      yield await Promise.resolve(bytes.slice(from, from + pieceBytes));
    }
  }
  const found: Line[] = [];
  for await (const line of readLines(pieces())) found.push(line);
  return found;
}

function joined(lines: readonly Line[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(lines.flatMap((line) => [...encodeLine(line)]));
}

it('checks with the CRC-32 of everybody else', () => {
  expect(checksum(bytesOf('123456789'))).toBe('cbf43926');
  expect(checksum(bytesOf(''))).toBe('00000000');
});

describe('lines', () => {
  const lines = [commitLine(1, 'first\nsecond\r\n'), commitLine(2, '第二 🎙 \u2028 \t'), commitLine(3, '')];

  it.each([1, 7, 100_000])('come back as they were written, read in pieces of %i bytes', async (pieceBytes) => {
    expect(await linesOf(joined(lines), pieceBytes)).toEqual(lines);
  });

  it('a file cut at any byte gives the lines before the cut, and its end tells that it is torn', async () => {
    const bytes = joined(lines.slice(0, 2));
    const firstBytes = encodeLine(lines[0] as Line).length;
    for (let cut = firstBytes; cut < bytes.length; cut += 1) {
      const torn = bytes.slice(0, cut);
      expect(await linesOf(torn, 4_096), `cut at ${String(cut)}`).toEqual([lines[0]]);
      const told = seqAtEnd(new TextDecoder().decode(torn.slice(-TAIL_BYTES)));
      expect(told, `cut at ${String(cut)}`).toBe(cut === firstBytes ? 1 : null);
    }
  });

  it('any flipped byte of a line is noticed, and nothing behind it is believed', async () => {
    const bytes = joined(lines);
    const firstBytes = encodeLine(lines[0] as Line).length;
    for (let at = firstBytes; at < firstBytes + 300; at += 1) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const found = await linesOf(flipped, 4_096);
      expect(found.length, `byte ${String(at)}`).toBeLessThanOrEqual(1);
    }
  });

  it('the end alone tells the seq', () => {
    const bytes = joined(lines);
    expect(seqAtEnd(new TextDecoder().decode(bytes.slice(-TAIL_BYTES)))).toBe(3);
    expect(seqAtEnd('')).toBeNull();
  });

  it('is null for what is no line', () => {
    expect(decodeLine(bytesOf(''))).toBeNull();
    expect(decodeLine(bytesOf('{}\t1\t00000000'))).toBeNull();
  });
});
