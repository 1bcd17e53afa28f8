/** Writes the frames of docs/errors from the table of codes and the translations. Run it after changing either. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createServer } from 'vite';
import { ROOT } from './built-app.mjs';
import { BY_HAND, indexPage, pageFrame } from './error-page.mjs';

const PAGES = join(ROOT, 'docs', 'errors');

const vite = await createServer({
  root: ROOT,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, ws: false },
});
const { FAILURES, FAILURE_CODES } = await vite.ssrLoadModule('/src/lib/core/failure-codes.ts');
const { messagesFor } = await vite.ssrLoadModule('/src/lib/i18n/messages.ts');
await vite.close();

mkdirSync(PAGES, { recursive: true });
const rows = [];
for (const code of FAILURE_CODES) {
  const texts = { en: textOf('en', code), zh: textOf('zh-CN', code) };
  const file = join(PAGES, `${code}.md`);
  const byHand = existsSync(file) ? (readFileSync(file, 'utf8').split(BY_HAND)[1] ?? '').trim() : '';
  await write(file, `${pageFrame(code, FAILURES[code], texts)}\n${byHand}\n`);
  rows.push({ code, ...FAILURES[code], what: texts.en.what });
}
await write(join(PAGES, 'README.md'), indexPage(rows));
console.log(`${rows.length} pages in docs/errors`);

/** @param {string} language @param {string} code */
function textOf(language, code) {
  const text = messagesFor(language).failures[code];
  return { what: text.what({}), safe: text.safe({}), next: text.next({}), command: text.command?.({}) ?? null };
}

/** @param {string} file @param {string} content */
async function write(file, content) {
  writeFileSync(file, await format(content, { ...(await resolveConfig(file)), filepath: file }));
}
