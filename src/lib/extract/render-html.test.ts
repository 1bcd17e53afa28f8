import { describe, expect, it } from 'vitest';
import { charsetOfHtml, charsetOfXml } from './declared-charset';
import { renderHtml } from './render-html';

describe('renderHtml', () => {
  it('keeps title, headings, lists and tables as light text', () => {
    const html = `<!doctype html><html><head><title>Plan &amp; budget</title><style>h1 { color: red }</style></head><body>
      <h1>Project <em>TL-204</em></h1>
      <p>The budget was cut<br>from &euro;120,000
         to &#8364;95,000.</p>
      <ul><li>First<ul><li>Inner</li></ul></li><li>Second</li></ul>
      <ol><li>One</li><li>Two</li></ol>
      <table><tr><th>Name</th><th>Amount</th></tr><tr><td>A</td><td></td></tr><tr><td>B</td><td>95</td></tr></table>
      <img src="https://example.org/track.png" alt="A chart">
    </body></html>`;
    expect(renderHtml(html)).toBe(
      [
        'Plan & budget',
        '# Project TL-204',
        'The budget was cut\nfrom €120,000 to €95,000.',
        '- First\n\n  - Inner\n\n- Second',
        '1. One\n2. Two',
        'Name | Amount\nA |\nB | 95',
        'A chart',
      ].join('\n\n'),
    );
  });

  it('leaves out what is not seen, to any depth', () => {
    const html =
      '<p>a<script>if (1 < 2) document.write("<p>x</p>")</script></p><noscript><p>x<b>x</b></p></noscript>' +
      '<template><div>x</div></template><div hidden>x<p>x<br>x</p></div><p style="display: none">x</p><!-- x --><p>b';
    expect(renderHtml(html)).toBe('a\n\nb');
  });

  it('keeps the lines of preformatted text', () => {
    expect(renderHtml('<pre>if a:\n    b\n</pre>')).toBe('if a:\n    b');
  });

  it('survives markup that is not closed or not opened', () => {
    expect(renderHtml('</div><ul><li>a<li>b</ul></p>c</b><p>d<div>e')).toBe('- a\n- b\n\nc\n\nd\n\ne');
  });

  it('reads Chinese pages without adding spaces', () => {
    expect(renderHtml('<p>预算<b>降到</b> 9.5 万元</p>')).toBe('预算降到 9.5 万元');
  });
});

describe('declared encodings', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it.each([
    ['<meta charset="gbk">', 'gbk'],
    [`<META http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>`, 'Shift_JIS'],
    ['<p>charset=gbk</p>', null],
  ])('%s', (html, charset) => {
    expect(charsetOfHtml(bytes(html))).toBe(charset);
  });

  it.each([
    ['<?xml version="1.0" encoding="Big5"?><a/>', 'Big5'],
    ['<a encoding="Big5"/>', null],
  ])('%s', (xml, charset) => {
    expect(charsetOfXml(bytes(xml))).toBe(charset);
  });
});
