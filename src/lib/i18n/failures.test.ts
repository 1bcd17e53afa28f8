import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAILURES, FAILURE_CODES, type FailureCode } from '../core/failure-codes';
import type { FailureDetails } from '../core/failure';
import { LANGUAGES, type Language } from '../core/language';
import { answerFailures } from './en/failures/answers';
import { endpointFailures } from './en/failures/endpoint';
import type { FailureText } from './failure-text';
import { messagesFor } from './messages';

/** What only the files of a task can bring about, or its endpoint being gone. */
const NOT_OF_A_TEST: readonly FailureCode[] = ['endpoint_missing', 'content_refused', 'output_truncated'];

const PAGES = new URL('../../../docs/errors/', import.meta.url);

const FULL: FailureDetails = {
  url: 'http://localhost:11434/v1',
  origin: 'http://localhost:4173',
  target: 'http://elsewhere.example/v1',
  suggestion: 'http://localhost:11434/v1',
  server: 'ollama',
  model: 'hermes3',
  task: 'Interviews',
  status: 500,
  waitMs: 2_400,
  limitMs: 90_000,
  limitTokens: 4096,
  usedTokens: 9000,
  path: '../outside.txt',
  kind: 'pages',
  folder: 'notes',
  sizeBytes: 40 * 1024 ** 2,
  limitBytes: 20 * 1024 ** 2,
};

function textOf(language: Language, code: FailureCode): FailureText {
  return messagesFor(language).failures[code];
}

function sentences(text: FailureText, details: FailureDetails): string[] {
  return [text.what(details), text.safe(details), text.next(details)];
}

describe.each(FAILURE_CODES)('%s', (code) => {
  test.each(LANGUAGES)('has whole sentences in %s, with and without details', (language) => {
    for (const details of [{}, FULL]) {
      for (const sentence of sentences(textOf(language, code), details)) {
        expect(sentence).toMatch(language === 'en' ? /[.]$/ : /。$/);
        expect(sentence).not.toMatch(/undefined|null|NaN|\[object|oops/i);
        expect(sentence).not.toMatch(/\s{2,}|^\s|\s$/);
      }
    }
  });

  test('is written in the language it claims to be in', () => {
    const english = sentences(textOf('en', code), {});
    const chinese = sentences(textOf('zh-CN', code), {});
    for (const sentence of english) expect(sentence).not.toMatch(/\p{Script=Han}/u);
    for (const sentence of chinese) expect(sentence).toMatch(/\p{Script=Han}/u);
  });

  test('offers the same command in every language', () => {
    const commands = LANGUAGES.map((language) => textOf(language, code).command?.(FULL) ?? null);
    expect(new Set(commands).size).toBe(1);
  });

  test('has a page that says the same', () => {
    const page = readFileSync(new URL(`${code}.md`, PAGES), 'utf8');
    const { kind, verdict } = FAILURES[code];
    expect(page).toContain(`\`${code}\` · ${kind} · ${verdict}\n`);
    for (const language of LANGUAGES) {
      for (const sentence of sentences(textOf(language, code), {})) expect(page).toContain(sentence);
      const command = textOf(language, code).command?.({});
      if (command !== undefined) expect(page).toContain(command);
    }
    const why = page.split('## Why it happens')[1]?.trim() ?? '';
    expect(why.length, 'the part written by hand').toBeGreaterThan(120);
  });
});

test('no page stands without a code', () => {
  expect(existsSync(PAGES)).toBe(true);
  const pages = readdirSync(PAGES).filter((name) => name !== 'README.md');
  expect(pages.sort()).toEqual(FAILURE_CODES.map((code) => `${code}.md`).sort());
});

test('the index lists every code', () => {
  const index = readFileSync(new URL('README.md', PAGES), 'utf8');
  for (const code of FAILURE_CODES) expect(index).toContain(`(${code}.md)`);
});

describe.each(LANGUAGES)('what to do beside the fields of an endpoint, in %s', (language) => {
  const { mendEndpoint } = messagesFor(language);
  /** What is said of another page, or of a task that waits. */
  const ELSEWHERE = /under Endpoints|task|goes on|press Continue|failed files|“端点”|任务|按“继续”|失败的文件|the file/;

  test.each(Object.keys({ ...endpointFailures, ...answerFailures }) as FailureCode[])('%s', (code) => {
    if (NOT_OF_A_TEST.includes(code)) return;
    for (const details of [{}, { ...FULL, task: '' }]) {
      const said = mendEndpoint[code]?.(details) ?? textOf(language, code).next(details);
      expect(said).not.toMatch(ELSEWHERE);
      expect(said).toMatch(language === 'en' ? /[.]$/ : /。$/);
      expect(said).not.toMatch(/undefined|null|NaN|\s{2,}/);
    }
  });
});

describe('details', () => {
  test('are put into the sentences', () => {
    const { endpoint_unreachable, file_too_large, rate_limited, context_overflow } = messagesFor('en').failures;
    expect(endpoint_unreachable.what(FULL)).toContain('http://localhost:11434/v1');
    expect(file_too_large.what(FULL)).toBe('The file is too large to be read: 40 MB (the limit is 20 MB).');
    expect(rate_limited.what(FULL)).toContain('2 s');
    expect(context_overflow.what(FULL)).toContain('4096 tokens');
  });

  test.each(LANGUAGES)('tell a missing key from a wrong one, and a header from a page, in %s', (language) => {
    const { failures, mendEndpoint } = messagesFor(language);
    const differs = (code: 'auth_failed' | 'cors_blocked', details: FailureDetails) => {
      expect(failures[code].what(details)).not.toBe(failures[code].what({}));
      expect(failures[code].next(details)).not.toBe(failures[code].next({}));
      expect(mendEndpoint[code]?.(details)).not.toBe(mendEndpoint[code]?.({}));
    };
    differs('auth_failed', { sent: 'no key' });
    differs('cors_blocked', { header: 'X-Title' });
    expect(failures.cors_blocked.what({ header: 'X-Title' })).toContain('X-Title');
  });

  test('the most frequent cause of many failures is said in its own words', () => {
    const details = { failed: 12, tried: 20, cause: 'content_refused' };
    expect(textOf('en', 'too_many_failures').what(details)).toBe(
      '12 of the 20 files tried so far failed, so the work was stopped before the rest. ' +
        "Most often: The server's content filter stopped the answer.",
    );
    expect(textOf('zh-CN', 'too_many_failures').what(details)).toMatch(
      /^到目前为止试过的 20 个文件中有 12 个失败.*最常见的原因：/,
    );
    expect(textOf('en', 'too_many_failures').what({ ...details, cause: 'toString' })).not.toContain('Most often');
    expect(textOf('en', 'crashes_app').what({ times: 4 })).toContain('ended 4 times in a row');
    expect(textOf('en', 'crashes_app').what({ times: 3 })).toContain('ended three times in a row');
  });

  test('SSE-29: an endpoint typed with localhost is told of 127.0.0.1', () => {
    expect(textOf('en', 'endpoint_unreachable').next({ url: 'http://localhost:8000/v1' })).toContain('127.0.0.1');
    expect(textOf('zh-CN', 'endpoint_unreachable').next({ url: 'http://localhost:8000/v1' })).toContain('127.0.0.1');
    expect(textOf('en', 'endpoint_unreachable').next({ url: 'http://10.0.0.2:8000/v1' })).not.toContain('127.0.0.1');
  });
});
