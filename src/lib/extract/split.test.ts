import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from './split';
import { estimateTokens } from './tokens';

function joined(text: string, maxTokens: number): string {
  return splitText(text, maxTokens)
    .map((part) => part.text)
    .join('');
}

const MIXED = fc
  .array(
    fc.oneof(
      fc.constantFrom('合同约定的交付日期为三月十五日，', '预算由 12 万元降到 9.5 万元。', '没有标点的中文一直写下去'),
      fc.constantFrom('The budget was cut. ', 'Dr. Smith agreed!\n', '\n\n', '\r\n', '   ', '\t\n  '),
      fc.constantFrom('👨‍👩‍👧‍👦', '🇨🇳', '😀', 'é́', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==', '𠮷'),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

describe('splitText', () => {
  it('loses nothing and keeps every part within the limit', () => {
    fc.assert(
      fc.property(MIXED, fc.integer({ min: 16, max: 400 }), (text, maxTokens) => {
        const parts = splitText(text, maxTokens);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const [index, part] of parts.entries()) {
          expect(part.index).toBe(index);
          expect(part.text).not.toBe('');
          expect(part.tokens).toBe(estimateTokens(part.text));
          expect(part.tokens).toBeLessThanOrEqual(maxTokens);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('loses nothing under an absurd limit', () => {
    fc.assert(fc.property(MIXED, fc.integer({ min: -1, max: 15 }), (text, limit) => joined(text, limit) === text));
  });

  it('never cuts a character as people see it', () => {
    const family = '👨‍👩‍👧‍👦';
    const parts = splitText(family.repeat(200), 24);
    expect(parts.length).toBeGreaterThan(1);
    for (const { text } of parts) expect(text.replaceAll(family, '')).toBe('');
  });

  it('cuts at paragraph ends where that is enough', () => {
    const paragraph = `${'Some words of one paragraph go here. '.repeat(4)}\n\n`;
    const parts = splitText(paragraph.repeat(30), 100);
    expect(parts.length).toBeGreaterThan(1);
    for (const { text } of parts) expect(text.endsWith('\n\n')).toBe(true);
  });

  it('cuts long paragraphs at sentence ends, in Chinese too', () => {
    const sentence = '合同约定的交付日期为三月十五日，逾期按每日万分之五计收违约金。';
    const parts = splitText(sentence.repeat(60), 200);
    expect(parts.length).toBeGreaterThan(1);
    for (const { text } of parts) expect(text.endsWith('。')).toBe(true);
  });

  it('cuts sentences without an end between words', () => {
    const parts = splitText('alpha beta gamma delta '.repeat(400), 64);
    for (const { text } of parts) expect(text).toMatch(/^(?:(?:alpha|beta|gamma|delta) )+$/);
  });

  it('fills parts well', () => {
    const text = `${'The budget was cut because a supplier sent a new quote. '.repeat(3)}\n`.repeat(300);
    const parts = splitText(text, 500);
    expect(parts.length).toBeLessThan((estimateTokens(text) / 500) * 1.25);
  });

  it('leaves a short text whole and makes nothing of nothing', () => {
    expect(splitText('Short.', 100)).toEqual([{ index: 0, text: 'Short.', tokens: 2 }]);
    expect(splitText('', 100)).toEqual([]);
  });
});
