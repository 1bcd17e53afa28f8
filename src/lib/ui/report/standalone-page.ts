import type { Language } from '../../core/language';
import { escapeHtml } from './render-markdown';

export interface StandalonePage {
  readonly title: string;
  readonly language: Language;
  /** Sanitised HTML. */
  readonly body: string;
}

const STYLE = `:root{color-scheme:light dark}
body{max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem 4rem;font:16px/1.65 system-ui,"PingFang SC","Noto Sans SC","Microsoft YaHei",sans-serif;color:light-dark(#13201f,#e7eeed);background:light-dark(#fff,#0e1213);overflow-wrap:break-word}
h1,h2,h3{line-height:1.3;margin:1.8em 0 .5em}h1{margin-top:0}
a{color:light-dark(#0b6b63,#4fd1c0)}
code,pre{font:.875em ui-monospace,Menlo,Consolas,monospace}pre.plain{white-space:pre-wrap;overflow-wrap:anywhere}pre{overflow:auto;padding:.75em 1em;border-radius:8px;background:light-dark(#eef1f1,#151a1c)}
table{border-collapse:collapse;display:block;overflow:auto}td,th{border:1px solid light-dark(#dfe4e4,#262e30);padding:.3em .7em;text-align:left}
blockquote{margin:1em 0;padding-left:1em;border-left:3px solid light-dark(#c6cecd,#364043)}
.picture{border:1px dashed currentColor;border-radius:6px;padding:0 .5em;opacity:.75}
@media print{body{max-width:none}}`;

/** A report that stands alone: one file, no script, nothing fetched even when it is opened years later. */
export function standalonePage({ title, language, body }: StandalonePage): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${STYLE}
</style>
<body>
${body}
</body>
</html>
`;
}
