import { indentTo, walkMarkup } from './markup';
import { TextFlow } from './text-flow';

/** Never read by a person who looks at the page. */
const UNSEEN = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'canvas',
  'svg',
  'audio',
  'video',
]);
const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend main nav ol p pre section summary table tbody tfoot thead ul'.split(
    ' ',
  ),
);

/**
 * What is seen of a page, with headings, lists and table rows marked as in Markdown. Nothing is fetched. A page nested too deep is given
 * as it is.
 */
export function renderHtml(html: string): string {
  const flow = new TextFlow();
  const lists: { ordered: boolean; count: number }[] = [];
  let unseenDepth = 0;
  let cellsInRow = 0;
  let title = '';
  let inTitle = false;
  const isWalked = walkMarkup(
    html,
    {
      onopentag(name, attributes) {
        if (unseenDepth > 0 || isUnseen(name, attributes)) {
          unseenDepth += 1;
          return;
        }
        if (name === 'title') inTitle = true;
        if (BLOCKS.has(name)) flow.breakBlock();
        if (name === 'pre') flow.enterPre();
        if (/^h[1-6]$/.test(name)) flow.add(`${'#'.repeat(Number(name.charAt(1)))} `);
        if (name === 'br') flow.breakLine();
        if (name === 'ul' || name === 'ol') lists.push({ ordered: name === 'ol', count: 0 });
        if (name === 'li') startItem(flow, lists);
        if (name === 'tr') {
          flow.breakLine();
          cellsInRow = 0;
        }
        if (name === 'td' || name === 'th') {
          if (cellsInRow > 0) flow.add(' | ');
          cellsInRow += 1;
        }
        if (name === 'img' && attributes.alt) flow.add(attributes.alt);
      },
      ontext(text) {
        if (unseenDepth > 0) return;
        if (inTitle) title += text;
        else flow.add(text);
      },
      onclosetag(name) {
        if (unseenDepth > 0) {
          unseenDepth -= 1;
          return;
        }
        if (name === 'title') inTitle = false;
        if (name === 'pre') flow.leavePre();
        if (name === 'ul' || name === 'ol') lists.pop();
        if (BLOCKS.has(name)) flow.breakBlock();
        if (name === 'tr' || name === 'li' || name === 'option') flow.breakLine();
      },
    },
    { xmlMode: false },
  );
  if (!isWalked) return html;
  const heading = title.replace(/\s+/g, ' ').trim();
  return [heading, flow.text()].filter((part) => part !== '').join('\n\n');
}

function isUnseen(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (UNSEEN.has(name) || 'hidden' in attributes) return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '');
}

function startItem(flow: TextFlow, lists: readonly { ordered: boolean; count: number }[]): void {
  const list = lists.at(-1);
  if (list !== undefined) list.count += 1;
  flow.breakLine();
  flow.add(`${indentTo(lists.length - 1, '  ')}${list?.ordered ? `${list.count}.` : '-'} `);
}
