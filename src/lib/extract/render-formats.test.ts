import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderJson } from './render-json';
import { renderSubtitles } from './render-subtitles';
import { renderTable } from './render-table';
import { renderSvg, renderXml } from './render-xml';
import { parseTable } from './table';

describe('renderTable', () => {
  it('finds the delimiter', () => {
    expect(renderTable('name;amount\nA;1,5\nB;2')).toBe('name: A\namount: 1,5\n\nname: B\namount: 2');
    expect(renderTable('name\tamount\nA\t1', '\t')).toBe('name: A\namount: 1');
  });

  it('shows rows as they are when nothing names the columns', () => {
    expect(renderTable('1,2\n3,4')).toBe('1 | 2\n3 | 4');
    expect(renderTable('only header,cells')).toBe('only header | cells');
  });

  it('keeps cells beyond the header', () => {
    expect(renderTable('a,b\n1,2,3')).toBe('a: 1\nb: 2\n(3): 3');
  });

  it('leaves text with broken quoting as it is, so that no row is swallowed', () => {
    const text = 'a,b\n"never closed,1\nx,2\n';
    expect(parseTable(text)).toBeNull();
    expect(renderTable(text)).toBe(text);
  });

  it('never loses a cell', () => {
    const cell = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== '');
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, (cells) => {
        const csv = cells.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n');
        const rendered = renderTable(csv);
        for (const text of cells.flat()) expect(rendered).toContain(text.trim());
      }),
    );
  });
});

describe('renderJson', () => {
  const record = { id: 1, note: 'a "quoted, [text]: {with} \\ marks"', empty: {}, none: [], list: [1, { deep: null }] };

  it('breaks minified JSON into lines and changes nothing in it', () => {
    const minified = JSON.stringify(Array.from({ length: 20 }, () => record));
    const rendered = renderJson(minified);
    expect(rendered).toBe(JSON.stringify(JSON.parse(minified), null, 2));
  });

  it('keeps every digit and every repeated key', () => {
    const text = `{"a":12345678901234567890,"a":1.0,"pad":"${'x'.repeat(500)}"}`;
    expect(renderJson(text)).toContain('"a": 12345678901234567890,\n  "a": 1.0,');
  });

  it('leaves JSON with lines, and what is not JSON, as it is', () => {
    const pretty = JSON.stringify(record, null, 4);
    expect(renderJson(pretty)).toBe(pretty);
    const broken = `{"a": [${'1,'.repeat(400)}`;
    expect(renderJson(broken)).toBe(broken);
  });
});

describe('renderSubtitles', () => {
  it('keeps times and words of SubRip', () => {
    const srt =
      '1\n00:00:01,000 --> 00:00:03,500\nHello <i>there</i>.\nHow are you?\n\n2\n01:02:03,000 --> 01:02:04,000\n42\n';
    expect(renderSubtitles(srt)).toBe('[00:00:01] Hello there. How are you?\n[01:02:03] 42');
  });

  it('keeps speakers and notes of WebVTT', () => {
    const vtt =
      'WEBVTT\n\nNOTE checked by Li\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Anna>你好</v>\n';
    expect(renderSubtitles(vtt)).toBe('NOTE checked by Li\n[00:01] Anna: 你好');
  });

  it('leaves other text as it is', () => {
    expect(renderSubtitles('1\n\n2\n')).toBe('1\n\n2\n');
  });
});

describe('renderXml', () => {
  it('is verbatim while small', () => {
    expect(renderXml('<a b="1">c</a>')).toBe('<a b="1">c</a>');
  });

  it('says names, attributes and text of a long one, a line each', () => {
    const item = '<item id="7"><name>Anna &amp; Li</name><note><![CDATA[a < b]]></note><empty/></item>';
    const lines = renderXml(`<?xml version="1.0"?><list>${item.repeat(600)}</list>`).split('\n');
    expect(lines.slice(0, 5)).toEqual(['list:', ' item id="7":', '  name: Anna & Li', '  note: a < b', '  empty:']);
    expect(lines).toHaveLength(1 + 600 * 4);
  });
});

describe('renderSvg', () => {
  it('gives the words of a drawing', () => {
    const svg = '<svg><title>Plan</title><path d="M0 0L10 10"/><g><text>Phase <tspan>one</tspan></text></g></svg>';
    expect(renderSvg(svg)).toBe('Plan\nPhase one');
    expect(renderSvg('<svg><path d="M0 0"/></svg>')).toBe('');
  });
});
