/**
 * Markdown that a model wrote, as HTML that can only be read: HTML in it is shown as text, pictures are named and never
 * fetched, links say where they lead. What the renderer makes is sanitised once more before it meets the page.
 */
import DOMPurify from 'dompurify';
import { Marked } from 'marked';

export interface MarkdownWords {
  picture(alt: string): string;
  readonly pictureUnnamed: string;
  /** Why it is not shown. */
  readonly pictureWhy: string;
  leadsTo(host: string): string;
}

/** The address that shows a file the text names; null when it names none. */
export type FileAddress = (name: string) => string | null;

const TAGS = 'h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre code table thead tbody tr th td em strong del hr br a span';
const ATTRIBUTES = 'href rel target title class align start';
const LEADS_OUT = /^(?:https?|mailto):/i;
/** Besides addresses that lead out, only those that `FileAddress` made. */
const ALLOWED_ADDRESS = /^(?:https?:|mailto:|\?)/i;

/** Longer texts cost the page seconds, and single lines of megabytes the parser its stack. */
export const MAX_RENDERED_CHARACTERS = 200_000;

/** Null for a text that is too long or too deep to be rendered: it is shown as it is. */
export function renderMarkdown(
  markdown: string,
  words: MarkdownWords,
  fileAddress: FileAddress = () => null,
): string | null {
  if (markdown.length > MAX_RENDERED_CHARACTERS) return null;
  try {
    return sanitise(rendererOf(words, fileAddress).parse(markdown, { async: false }));
  } catch {
    return null;
  }
}

/** A text as it is, as HTML, below a line that says so. */
export function renderPlain(text: string, note: string): string {
  return `<p><em>${escapeHtml(note)}</em></p>\n<pre class="plain">${escapeHtml(text)}</pre>`;
}

function rendererOf(words: MarkdownWords, fileAddress: FileAddress): Marked {
  const toFile = (name: string, html: string) => {
    const address = fileAddress(name);
    return address === null ? null : `<a class="file" href="${escapeHtml(address)}">${html}</a>`;
  };
  return new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => {
        const shown = text.trim() === '' ? words.pictureUnnamed : words.picture(text);
        return `<span class="picture" title="${escapeHtml(words.pictureWhy)}">${escapeHtml(shown)}</span>`;
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      codespan: ({ text }) => {
        const html = `<code>${escapeHtml(text)}</code>`;
        return toFile(text, html) ?? html;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const leads = LEADS_OUT.test(href) ? hostOf(href) : null;
        if (leads === null) return toFile(decoded(href), html) ?? html;
        const title = escapeHtml(words.leadsTo(leads));
        return `<a href="${escapeHtml(href)}" rel="noopener noreferrer" target="_blank" title="${title}">${html}</a>`;
      },
    },
  });
}

function sanitise(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: ATTRIBUTES.split(' '),
    ALLOWED_URI_REGEXP: ALLOWED_ADDRESS,
    // Else the values of these are taken for addresses too.
    ADD_URI_SAFE_ATTR: ['rel', 'target', 'align', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

function hostOf(href: string): string | null {
  try {
    const url = new URL(href);
    return url.protocol === 'mailto:' ? url.pathname : url.host;
  } catch {
    return null;
  }
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
