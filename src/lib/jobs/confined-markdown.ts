const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
/** Openings of HTML that no blank line ends. */
const ENDLESS_HTML = /^( {0,3})<(?=script|pre|style|textarea|!--|\?|!\[CDATA\[|![a-z])/i;

/**
 * Markdown that a model wrote, so that nothing in it reaches beyond it: code is closed, HTML that would swallow what
 * follows is text, headings stay below those of the report. Code is left as it is.
 */
export function confinedMarkdown(text: string): string {
  const confined: string[] = [];
  let open: { readonly indent: string; readonly marks: string } | null = null;
  for (const line of text.split('\n')) {
    const [, indent = '', marks = '', info = ''] = FENCE.exec(line) ?? [];
    const isCode = open !== null || marks !== '';
    if (open === null && marks !== '') open = { indent, marks };
    else if (open !== null && marks.startsWith(open.marks) && info.trim() === '') open = null;
    confined.push(isCode ? line : confinedLine(line));
  }
  // As far in as it was opened: code within a list is closed there.
  if (open !== null) confined.push(open.indent + open.marks);
  return confined.join('\n').replace(/^\n+|\s+$/g, '');
}

function confinedLine(line: string): string {
  return line.replace(/^( {0,3})#{1,3}(?=\s|$)/, '$1####').replace(ENDLESS_HTML, '$1\\<');
}
