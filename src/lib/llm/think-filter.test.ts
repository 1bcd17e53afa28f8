import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThinkFilter } from './think-filter';

function filtered(pieces: readonly string[], whole = true) {
  const filter = new ThinkFilter();
  const shown = pieces.map((piece) => {
    filter.push(piece);
    return filter.text;
  });
  return { text: filter.end(whole), shown };
}

describe('what is thinking', () => {
  it.each<[string, string, string]>([
    ['a block at the start', '<think>\nhm\n</think>\n\nFour.', 'Four.'],
    ['several blocks', '<think>a</think><thinking>b</thinking>Four.<think>c</think>', 'Four.'],
    ['capitals', '<THINK>a</Think>Four.', 'Four.'],
    ['a block opened in the prompt', 'Let me see.\n</think>\n\nFour.', 'Four.'],
    ['thinking alone', '<think>a</think>', ''],
    ['thinking that never ends', '<think>all of it', ''],
    ['no thinking', '  2 < 3 and a <b>tag</b>\n', '2 < 3 and a <b>tag</b>'],
    ['a mention', 'Models write <think> before they answer.', 'Models write <think> before they answer.'],
    ['a closing tag in a sentence', 'It ends with </think> there.', 'It ends with </think> there.'],
    ['tags in code', 'Put `<think>` before it and `</think>` after.', 'Put `<think>` before it and `</think>` after.'],
    [
      'a block in a code fence',
      '```\n<think>\nhm\n</think>\n```\nSo it is.',
      '```\n<think>\nhm\n</think>\n```\nSo it is.',
    ],
    ['a block behind code', '`a`<think>hm</think> b', '`a` b'],
    ['thinking that speaks of tags, opened in the prompt', 'First `<think>`.\n</think>\n\nFour.', 'Four.'],
    ['thinking with a fence that it never closes', '```\nx\n</think>\n\nFour.', 'Four.'],
    ['a tag that is none', '<thinker>a</thinker>', '<thinker>a</thinker>'],
    ['half a tag at the end', 'x <thi', 'x <thi'],
  ])('%s', (_, written, text) => {
    expect(filtered([written]).text).toBe(text);
  });

  it('does not take a cut-off thought for a mention', () => {
    expect(filtered(['Four. <think>or'], false).text).toBe('Four.');
  });
});

const written = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<think>',
        '</think>',
        '<thinking>',
        '</thinking>',
        '<THINK>',
        '<',
        '</',
        '>',
        '\n',
        ' ',
        '`',
        '```\n',
        'think',
      ),
      fc.string({ maxLength: 6 }),
      fc.constantFrom('数一数', '👩‍💻', 'مرحبا'),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

function cutAt(text: string, cuts: readonly number[]): string[] {
  const bounds = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...bounds].map((from, index) => text.slice(from, bounds[index] ?? text.length));
}

describe('however it is cut', () => {
  it('gives the same text', () => {
    fc.assert(
      fc.property(written, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (text, cuts, whole) => {
        expect(filtered(cutAt(text, cuts), whole).text).toBe(filtered([text], whole).text);
        expect(filtered([...text], whole).text).toBe(filtered([text], whole).text);
      }),
      { numRuns: 500 },
    );
  });

  it('never shows what stands between the tags of a block', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z \n]{0,20}$/), fc.array(fc.nat(), { maxLength: 8 }), (answer, cuts) => {
        const { text, shown } = filtered(cutAt(`<think>SECRET\n${answer}</think>${answer}`, cuts));
        expect([text, ...shown].join('|')).not.toMatch(/S|<|think>/);
        expect(text).toBe(answer.trim());
      }),
    );
  });
});
