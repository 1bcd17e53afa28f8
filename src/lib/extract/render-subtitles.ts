const TIMING = /^\s*((?:\d+:)?\d{1,2}:\d{2})[.,]\d+\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d+/;

/** SubRip and WebVTT as `[time] words`, one cue a line: counters, end times and markup say nothing to a reader. */
export function renderSubtitles(text: string): string {
  const blocks = text.split(/\n[^\S\n]*\n+/);
  if (!blocks.some((block) => block.split('\n').some((line) => TIMING.test(line)))) return text;
  return blocks
    .map(renderBlock)
    .filter((block) => block !== '')
    .join('\n');
}

function renderBlock(block: string): string {
  const lines = block.split('\n');
  const timed = lines.findIndex((line) => TIMING.test(line));
  if (timed < 0) return /^\s*(WEBVTT\s*$|STYLE\b|REGION\b)/.test(block) ? '' : block.trim();
  const time = TIMING.exec(lines[timed] ?? '')?.[1] ?? '';
  const words = lines
    .slice(timed + 1)
    .map(withoutMarkup)
    .filter((line) => line !== '');
  return words.length === 0 ? '' : `[${time}] ${words.join(' ')}`;
}

function withoutMarkup(line: string): string {
  return line
    .replace(/<v(?:\.[^\s>]*)?\s+([^>]+)>/g, '$1: ')
    .replace(/<\/?[a-z][^>]*>|<\d[\d:.]*>|\{\\[^}]*\}/gi, '')
    .trim();
}
