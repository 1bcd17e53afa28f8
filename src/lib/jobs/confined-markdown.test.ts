import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { confinedMarkdown } from './confined-markdown';

/** Whether a heading after the text is still a heading. */
function isConfined(text: string): boolean {
  return marked.parse(`${confinedMarkdown(text)}\n\n## After\n`, { async: false }).includes('<h2>After</h2>');
}

describe('what a model wrote in a section', () => {
  it.each([
    'cut in the middle:\n```js\nconst a = 1;',
    '~~~~\n~~~',
    '```\n```not the end',
    '<!-- never closed',
    '  <script>',
    '<pre>\n\nx',
    '<style>',
    '<textarea>\n\n',
    '<?php',
    '<![CDATA[',
    '<!DOCTYPE html',
    '- one\n  ```\n  in a list',
    '> ```\n> in a quote',
  ])('does not swallow what follows: %j', (text) => {
    expect(isConfined(text)).toBe(true);
  });

  it('never does', () => {
    const piece = fc.constantFrom(
      '```',
      '~~~',
      '````',
      '<!--',
      '<pre>',
      '-->',
      '\n',
      '\n\n',
      ' ',
      'x',
      '`',
      '# ',
      '> ',
      '- ',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => isConfined(pieces.join(''))));
  });

  it('keeps its headings below those of the report, and leaves code alone', () => {
    expect(confinedMarkdown('# Big\n#\n ## Less\n#### Small\n#hash')).toBe(
      '#### Big\n####\n #### Less\n#### Small\n#hash',
    );
    const code = '```sh\n# a comment\n<!-- x -->\n```';
    expect(confinedMarkdown(code)).toBe(code);
  });
});
