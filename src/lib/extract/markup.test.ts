import { describe, expect, it } from 'vitest';
import { createExtractor } from './extractor';
import { renderHtml } from './render-html';
import { renderXml } from './render-xml';

const extractor = createExtractor();

async function extracted(path: string, text: string) {
  const startedMs = performance.now();
  const result = await extractor.extract(path, new TextEncoder().encode(text));
  return { tookMs: performance.now() - startedMs, length: result.ok ? result.value.text.length : 0 };
}

/** A worker that says nothing for some seconds is ended, and the same file would end the next one. */
const LIMIT_MS = 2_000;

describe('files made to hold us up', () => {
  it.each([
    ['a page of lists in lists', 'lists.html', `${'<ul><li>'.repeat(20_000)}x`],
    ['a page of boxes in boxes', 'boxes.html', `${'<div>'.repeat(200_000)}x`],
    ['a page of one line with many marks', 'marks.html', `<p>${'x&amp;y '.repeat(150_000)}`],
    ['a page of one line in many pieces', 'pieces.html', `<p>${'<b>x</b> '.repeat(150_000)}`],
    ['a page of opening brackets', 'brackets.html', '<'.repeat(300_000)],
    ['XML that is nothing but depth', 'depth.xml', `${'<a>x'.repeat(60_000)}${'</a>'.repeat(60_000)}`],
    ['XML with a long text in many pieces', 'pieces.xml', `<a>${'x&amp;y '.repeat(150_000)}</a>`],
    ['a drawing that is nothing but depth', 'depth.svg', `${'<g>'.repeat(200_000)}<text>x</text>`],
    ['a table with one long name', 'name.csv', `${'name '.repeat(20_000)},b\n${'x,y\n'.repeat(20_000)}`],
    ['JSON that is nothing but depth', 'depth.json', `${'['.repeat(30_000)}1${']'.repeat(30_000)}`],
  ])('%s is read in no time, and grows little', async (_, path, text) => {
    const { tookMs, length } = await extracted(path, text);
    expect(tookMs).toBeLessThan(LIMIT_MS);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(text.length * 60);
  });

  it('what is nested deeper than anything meant to be read is given as it is', () => {
    const html = `${'<i>'.repeat(6_000)}deep`;
    expect(renderHtml(html)).toBe(html);
    const xml = `<a>${'<b>'.repeat(20_000)}deep`;
    expect(renderXml(xml)).toBe(xml);
  });
});
