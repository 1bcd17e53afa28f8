import { LineText } from './line-text';
import { indentTo, walkMarkup } from './markup';

/** Below this the markup costs little and says much. */
const VERBATIM_CHARACTERS = 32_768;

/** XML as it is while it is small; else one line an element, `name attribute="value": text`, indented by depth. */
export function renderXml(xml: string): string {
  if (xml.length <= VERBATIM_CHARACTERS) return xml;
  const lines: string[] = [];
  let depth = 0;
  let line = new LineText();
  const flush = () => {
    const text = line.text().trimEnd();
    if (text.trim() !== '') lines.push(text);
    line = new LineText();
  };
  const isWalked = walkMarkup(
    xml,
    {
      onopentag(name, attributes) {
        flush();
        const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
        line.add(`${indentTo(depth, ' ')}${name}${shown.join('')}: `);
        depth += 1;
      },
      ontext(text) {
        const words = text.replace(/\s+/g, ' ');
        if (line.isEmpty) line.add(indentTo(depth, ' '));
        line.add(line.endsInSpace ? words.trimStart() : words);
      },
      onclosetag() {
        flush();
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  if (!isWalked) return xml;
  flush();
  return lines.join('\n');
}

/** The words of a drawing; its paths are numbers without meaning. */
export function renderSvg(svg: string): string {
  const lines: string[] = [];
  let wordsDepth = 0;
  let words = '';
  const isWalked = walkMarkup(
    svg,
    {
      onopentag(name) {
        if (wordsDepth > 0 || /^(?:\w+:)?(text|title|desc|foreignObject)$/.test(name)) wordsDepth += 1;
      },
      ontext(text) {
        if (wordsDepth > 0) words += text;
      },
      onclosetag() {
        if (wordsDepth === 0) return;
        wordsDepth -= 1;
        if (wordsDepth > 0) return;
        lines.push(words.replace(/\s+/g, ' ').trim());
        words = '';
      },
    },
    { xmlMode: true },
  );
  if (!isWalked) return svg;
  return lines.filter((line) => line !== '').join('\n');
}
