/** Draws the PNG icons of the manifest from static/icons/icon.svg. Run after the SVG changed; the PNGs are committed. */
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './chromium.mjs';

const folder = new URL('../static/icons/', import.meta.url);
const svg = await readFile(new URL('icon.svg', folder), 'utf8');

// A maskable icon is cut to any shape: full bleed, and the drawing within the safe circle of 80 %.
const maskable = svg
  .replace('rx="7"', 'rx="0"')
  .replace('<path', '<g transform="translate(4.8 4.8) scale(.7)"><path')
  .replace('</svg>', '</g></svg>');

const icons = [
  { name: 'icon-192.png', sizePx: 192, drawing: svg },
  { name: 'icon-512.png', sizePx: 512, drawing: svg },
  { name: 'maskable-512.png', sizePx: 512, drawing: maskable },
];

const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_ARGS });
try {
  for (const { name, sizePx, drawing } of icons) {
    const page = await browser.newPage({ viewport: { width: sizePx, height: sizePx } });
    const sized = drawing.replace('<svg ', `<svg width="${sizePx}" height="${sizePx}" style="display:block" `);
    await page.setContent(`<body style="margin:0;background:transparent">${sized}</body>`);
    await writeFile(new URL(name, folder), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
