import { afterEach, describe, expect, it } from 'vitest';
import beacon from '../../../../tests/cases/report/sec01-beacon.md?raw';
import attack from '../../../../tests/cases/report/sec02-xss.md?raw';
import { MAX_RENDERED_CHARACTERS, renderMarkdown, renderPlain, type FileAddress } from './render-markdown';
import { standalonePage } from './standalone-page';

const WORDS = {
  picture: (alt: string) => `picture: ${alt}`,
  pictureUnnamed: 'a picture',
  pictureWhy: 'Not "fetched"',
  leadsTo: (host: string) => `leads to ${host}`,
};

function rendered(markdown: string, fileAddress?: FileAddress): string {
  const html = renderMarkdown(markdown, WORDS, fileAddress);
  if (html === null) throw new Error('it is shown plain');
  return html;
}

function show(markdown: string, fileAddress?: FileAddress): HTMLElement {
  const page = document.createElement('article');
  page.innerHTML = rendered(markdown, fileAddress);
  document.body.append(page);
  return page;
}

const attributesOf = (page: HTMLElement) =>
  [...page.querySelectorAll('*')].flatMap((element) => [...element.attributes].map(({ name }) => name));

/** Resolves once a frame shows the document and all it wants to fetch was asked for. */
async function open(html: string): Promise<Document> {
  const frame = document.createElement('iframe');
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.srcdoc = html;
  document.body.append(frame);
  await loaded;
  if (frame.contentDocument === null) throw new Error('the frame has no document');
  return frame.contentDocument;
}

afterEach(() => {
  document.body.replaceChildren();
  Reflect.deleteProperty(window, '__pwned');
});

describe('SEC-01: a picture in the answer is a beacon', () => {
  it('is named and never fetched', () => {
    const page = show(beacon);
    expect(page.querySelector('img, picture, source, link, iframe')).toBeNull();
    const picture = page.querySelector<HTMLElement>('.picture');
    expect(picture?.textContent).toBe('picture: 状态');
    expect(picture?.title).toBe('Not "fetched"');
    expect(page.innerHTML).not.toContain('p.png');
  });

  it('leaves the link as text that says where it leads', () => {
    const link = show(beacon).querySelector('a');
    expect(link?.textContent).toBe('链接');
    expect(link?.rel).toBe('noopener noreferrer');
    expect(link?.title).toBe('leads to collect.invalid');
  });

  it('fetches nothing from an exported page either', async () => {
    const body = rendered(beacon);
    const page = await open(standalonePage({ title: 'a </title><script>', language: 'zh-CN', body }));
    expect(page.title).toBe('a </title><script>');
    expect(page.documentElement.lang).toBe('zh-CN');
    expect(page.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')).toContain(
      "default-src 'none'",
    );
    expect(page.defaultView?.performance.getEntriesByType('resource')).toEqual([]);
    expect(page.querySelectorAll('script, img')).toHaveLength(0);
  });

  it.each([
    ['an inline picture', '<img src="https://collect.invalid/x">'],
    ['a picture in a link', '[![a](https://collect.invalid/a.png)](https://collect.invalid)'],
    ['a reference', '![a][r]\n\n[r]: https://collect.invalid/a.png'],
    ['a style', '<p style="background:url(https://collect.invalid/a.png)">x</p>'],
    ['a stylesheet', '<style>@import url(https://collect.invalid/a.css);</style>'],
    ['a video', '<video poster="https://collect.invalid/a.png"></video>'],
    ['a meta refresh', '<meta http-equiv="refresh" content="0;url=https://collect.invalid">'],
  ])('has nothing to fetch for %s', (_, markdown) => {
    const page = show(markdown);
    expect(page.querySelector('img, style, link, video, meta, iframe, object')).toBeNull();
    expect(
      attributesOf(page).filter((name) => ['style', 'src', 'srcset', 'poster', 'background'].includes(name)),
    ).toEqual([]);
  });
});

describe('SEC-02: HTML in the answer', () => {
  it('does not run, also after clicks', () => {
    const page = show(attack);
    for (const element of page.querySelectorAll<HTMLElement>('*')) element.click();
    expect(Reflect.get(window, '__pwned')).toBeUndefined();
    expect(page.querySelector('img, script')).toBeNull();
    expect(page.querySelector('a')).toBeNull();
    expect(page.textContent).toContain('<img src=x onerror=');
    expect(page.textContent).toContain('点我');
  });

  it.each([
    ['a script address in disguise', '[x](  JaVaScRiPt:alert(1))'],
    ['an entity in the scheme', '[x](&#106;avascript:alert(1))'],
    ['a tab in the scheme', '[x](<java\tscript:alert(1)>)'],
    ['a data page', '[x](data:text/html,<script>alert(1)</script>)'],
    ['an automatic link', '<javascript:alert(1)>'],
    ['a way into the app', '[x](/storage?delete=all)'],
  ])('has no link for %s', (_, markdown) => {
    expect(show(markdown).querySelector('a')).toBeNull();
  });

  it.each([
    ['a handler in a title', '[x](https://a.invalid "\\" onclick=\\"window.__pwned=1")'],
    ['a quote in the address', '[x](https://a.invalid/"onclick="window.__pwned=1)'],
    ['svg', '<svg onload="window.__pwned=1"><script>window.__pwned=1</script></svg>'],
    ['nested markup', '<math><mtext><table><mglyph><style><img src onerror=window.__pwned=1>'],
  ])('has no handler for %s', (_, markdown) => {
    const page = show(markdown);
    expect(attributesOf(page).filter((name) => name.startsWith('on'))).toEqual([]);
    expect(page.querySelector('svg, math, style, img')).toBeNull();
  });
});

describe('a text that no renderer can hold', () => {
  it.each([
    ['one line of megabytes', 'word '.repeat(1_000_000)],
    ['many lines', 'a line of text\n\n'.repeat(20_000)],
    ['quotes in quotes', '>'.repeat(MAX_RENDERED_CHARACTERS)],
    ['lists in lists', '- '.repeat(MAX_RENDERED_CHARACTERS / 2)],
    ['emphasis in emphasis', '*a '.repeat(50_000)],
  ])('is never thrown at, and what is not rendered is told: %s', (_, markdown) => {
    const html = renderMarkdown(markdown, WORDS);
    if (markdown.length > MAX_RENDERED_CHARACTERS) expect(html).toBeNull();
  });

  it('is rendered up to the limit, in time', () => {
    expect(renderMarkdown('word '.repeat(MAX_RENDERED_CHARACTERS / 5), WORDS)).toContain('<p>word');
  });

  it('is whole in an exported page, and does nothing there', () => {
    const page = document.createElement('article');
    page.innerHTML = renderPlain('<img src=x onerror=1> & so on', 'Shown plain.');
    expect(page.querySelector('pre')?.textContent).toBe('<img src=x onerror=1> & so on');
    expect(page.querySelector('img')).toBeNull();
    expect(page.textContent).toContain('Shown plain.');
  });
});

describe('what a report is made of', () => {
  it('is shown: headings, lists, tables, code', () => {
    const page = show('# 报告\n\n- [x] a\n- b\n\n| f | n |\n|---|--:|\n| `a<b` | 1 |\n\n1 < 2 & 3');
    expect(page.querySelector('h1')?.textContent).toBe('报告');
    expect(page.querySelector('li')?.textContent.trim()).toBe('☑ a');
    expect(page.querySelector('td code')?.textContent).toBe('a<b');
    expect(page.querySelectorAll('td')[1]?.getAttribute('align')).toBe('right');
    expect(page.lastElementChild?.textContent).toBe('1 < 2 & 3');
  });

  it('leads from the name of a file to the file', () => {
    const known: FileAddress = (name) => (name === 'a b.txt' ? `?file=${encodeURIComponent(name)}` : null);
    const page = show('`a b.txt` `c.txt` [a](a%20b.txt)', known);
    expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '?file=a%20b.txt',
      '?file=a%20b.txt',
    ]);
    expect(page.querySelectorAll('code')).toHaveLength(2);
  });
});
