import { CODE_EXTENSIONS } from './code-extensions';
import { charsetOfHtml, charsetOfXml } from './declared-charset';
import { textReader, type Reader } from './reader';
import { renderHtml } from './render-html';
import { renderJson } from './render-json';
import { renderSubtitles } from './render-subtitles';
import { renderTable } from './render-table';
import { renderSvg, renderXml } from './render-xml';
import { unsupportedKind } from './unsupported-kinds';

const PLAIN = textReader({ format: 'txt', extensions: ['txt', 'text', 'readme', 'nfo', 'me'] });
const HTML = textReader({
  format: 'html',
  extensions: ['html', 'htm', 'xhtml', 'xht'],
  render: renderHtml,
  declaredCharset: charsetOfHtml,
});
const XML = textReader({
  format: 'xml',
  extensions: ['xml', 'xsd', 'xsl', 'xslt', 'rss', 'atom', 'opml', 'kml', 'gpx', 'resx', 'csproj'],
  render: renderXml,
  declaredCharset: charsetOfXml,
});

/** Every format there is. A new one is a new line here, and its extensions leave `unsupported-kinds.ts`. */
const READERS: readonly Reader[] = [
  PLAIN,
  HTML,
  XML,
  textReader({ format: 'md', extensions: ['md', 'markdown', 'mdx', 'mkd', 'qmd', 'rmd'] }),
  textReader({ format: 'csv', extensions: ['csv'], render: (text) => renderTable(text) }),
  textReader({ format: 'tsv', extensions: ['tsv', 'tab'], render: (text) => renderTable(text, '\t') }),
  textReader({ format: 'json', extensions: ['json', 'geojson', 'ipynb', 'webmanifest', 'har'], render: renderJson }),
  textReader({ format: 'jsonl', extensions: ['jsonl', 'ndjson'] }),
  textReader({ format: 'log', extensions: ['log', 'out', 'err'] }),
  textReader({ format: 'xml', extensions: ['svg'], render: renderSvg, declaredCharset: charsetOfXml }),
  textReader({ format: 'srt', extensions: ['srt'], render: renderSubtitles }),
  textReader({ format: 'vtt', extensions: ['vtt'], render: renderSubtitles }),
  textReader({ format: 'code', extensions: CODE_EXTENSIONS }),
];

const BY_EXTENSION: ReadonlyMap<string, Reader> = new Map(
  READERS.flatMap((reader) => reader.extensions.map((extension) => [extension, reader] as const)),
);

export function readerByExtension(extension: string): Reader | null {
  return BY_EXTENSION.get(extension) ?? null;
}

/** For a name that says nothing: the opening says whether it is a page or XML; any other text is plain. */
export function readerByContent(bytes: Uint8Array): Reader {
  const opening = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).replace(/^[^<]{0,8}</, '<');
  if (/^<(?:!doctype\s+html|html[\s>])/i.test(opening)) return HTML;
  return /^<\?xml\s/i.test(opening) ? XML : PLAIN;
}

/** `a/b/Report.TXT` has `txt`; `.gitignore`, `Makefile` and `v1.2 notes` have none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^.+\.([A-Za-z0-9_]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Whether a file may turn out readable, told by its name alone: false only for kinds known to be unreadable. */
export function mayBeReadable(path: string): boolean {
  return unsupportedKind(extensionOf(path)) === null;
}
