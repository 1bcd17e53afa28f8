import { describe, expect, it } from 'vitest';
import { codeSentences } from './code-sentences';
import { documentKind } from './document-kind';
import { sentencesOf } from './sentences';
import { contentWords } from './words';

const texts = (text: string, byLine?: boolean) => sentencesOf(text, byLine).map((sentence) => sentence.text);

describe('sentencesOf', () => {
  it('ends sentences in both languages, and not at abbreviations', () => {
    expect(texts('他走了。“好！”她说。3.5 元？\nDr. Smith went, e.g. home. Then he slept.')).toEqual([
      '他走了。',
      '“好！”',
      '她说。',
      '3.5 元？',
      'Dr. Smith went, e.g. home.',
      'Then he slept.',
    ]);
  });

  it('takes marks of lists and headings away, and rules for nothing', () => {
    expect(texts('# Plan\n- first\n  2) second\n> third\n---\n| --- | --- |')).toEqual([
      'Plan',
      'first',
      'second',
      'third',
    ]);
  });

  it('reads a line without end in pieces, losing nothing', () => {
    const line = '字'.repeat(5000);
    expect(texts(line).join('')).toBe(line);
    expect(texts('😀字'.repeat(2000)).join('')).toBe('😀字'.repeat(2000));
  });

  it('takes each line of a log as one', () => {
    expect(texts('10:00 a. b.\n10:01 c', true)).toEqual(['10:00 a. b.', '10:01 c']);
  });
});

describe('contentWords', () => {
  it('keeps what a text is about', () => {
    expect(contentWords("The suppliers' quotes: the company's policies, TL-204 and 95 boxes")).toEqual([
      'supplier',
      'quote',
      'company',
      'policy',
      'tl-204',
      'boxe',
    ]);
    expect(contentWords('我们认为这个预算应当由供应商承担')).toEqual(['预算', '供应', '承担']);
  });
});

describe('codeSentences', () => {
  it('quotes comments and declarations', () => {
    const source =
      '/**\n * Adds two numbers.\n * Never fails.\n */\nexport function add(a, b) {\n  return a + b;\n}\n// Kept for old callers.\n';
    expect(codeSentences(source)).toEqual([
      'Adds two numbers.',
      'Never fails.',
      'export function add(a, b)',
      'Kept for old callers.',
    ]);
  });
});

describe('documentKind', () => {
  it.each([
    ['minutes', '会议纪要\n参会：王芳\n议题：预算'],
    ['log', '2026-03-03 10:00:00 INFO a\n2026-03-03 10:00:01 WARN b\n2026-03-03 10:00:02 INFO c'],
    ['table', 'name: A\nprice: 1\n\nname: B\nprice: 2'],
    ['letter', 'Dear Anna,\n\nthank you for the books.\n\nKind regards\nTom'],
    ['contract', '甲方：某公司\n乙方：某人\n双方约定如下'],
    ['report', '年度报告\n\n今年的情况如下。'],
    ['code', 'import a from "a";\nconst b = 1;\nfunction c() {\n  return b;\n}'],
    ['data', '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'],
    ['text', 'It was a dark and stormy night. The wind blew.'],
  ])('%s', (kind, text) => {
    expect(documentKind(text)).toBe(kind);
  });
});
