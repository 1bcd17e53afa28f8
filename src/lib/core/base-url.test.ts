import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairBaseUrl } from './base-url';

const repaired = (typed: string) => {
  const result = repairBaseUrl(typed);
  return result.ok ? result.value.url : result.failure.code;
};

describe('repairBaseUrl', () => {
  const recorded = JSON.parse(
    readFileSync(new URL('../../../tests/cases/http/sse29-base-urls.json', import.meta.url), 'utf8'),
  ) as { typed: string; chat_url: string }[];

  it.each(recorded.map(({ typed, chat_url }) => [typed, chat_url.split(' ')[0]]))('SSE-29: %j', (typed, chatUrl) => {
    expect(`${repaired(typed)}/chat/completions`).toBe(chatUrl);
  });

  it.each([
    ['localhost:8000', 'http://localhost:8000/v1'],
    ['gpu-box:8000/v1', 'http://gpu-box:8000/v1'],
    ['[::1]:8000', 'http://[::1]:8000/v1'],
    ['192.168.1.5', 'http://192.168.1.5/v1'],
    ['api.example.com', 'https://api.example.com/v1'],
    ['api.example.com/openai/v1', 'https://api.example.com/openai/v1'],
    ['https://api.example.com:8443', 'https://api.example.com:8443/v1'],
    ['HTTP://LOCALHOST:8000/V1', 'http://localhost:8000/V1'],
    ['http://h:1/v1/chat/completions', 'http://h:1/v1'],
    ['http://h:1/v1/chat/completions/', 'http://h:1/v1'],
    ['http://h:1/v1/models', 'http://h:1/v1'],
    ['http://h:1/chat/completions', 'http://h:1/v1'],
    ['http://h:1//v1//', 'http://h:1/v1'],
    ['http://h:1/api', 'http://h:1/api'],
    ['http:/h:1/v1', 'http://h:1/v1'],
    ['http//h:1/v1', 'http://h:1/v1'],
    ['//h:1/v1', 'http://h:1/v1'],
    ['http：//127.0.0.1：8000/v1', 'http://127.0.0.1:8000/v1'],
    ['"http://h:1/v1"', 'http://h:1/v1'],
  ])('%s becomes %s', (typed, url) => {
    expect(repaired(typed)).toBe(url);
  });

  it.each([
    '',
    '   ',
    'ftp://h/v1',
    'http://',
    'http://h:99999',
    'http://user:pw@h/v1',
    'http://h/v1?key=x',
    'http://h/#x',
    'a b c',
    'http://h:x/v1',
  ])('refuses %j', (typed) => {
    expect(repaired(typed)).toBe('url_invalid');
  });

  it('says whether anything was repaired', () => {
    const said = (typed: string) => {
      const result = repairBaseUrl(typed);
      return result.ok && result.value.repaired;
    };
    expect(said('http://127.0.0.1:8000/v1')).toBe(false);
    expect(said('http://127.0.0.1:8000/v1/')).toBe(true);
    expect(said(' http://127.0.0.1:8000/v1')).toBe(true);
  });

  it('SEC-09: keeps secrets out of the failure', () => {
    for (const typed of [
      'http://u:sk-secret@h/v1',
      'http://h/v1?key=sk-secret',
      'h/v1#sk-secret',
      'u:sk-secret@h/v1',
    ]) {
      expect(JSON.stringify(repairBaseUrl(typed))).not.toContain('secret');
    }
  });

  it('leaves alone what it made', () => {
    const typed = fc.tuple(
      fc.constantFrom('', 'http://', 'https://', 'HTTP://'),
      fc.constantFrom('localhost', '127.0.0.1:8000', 'api.example.com', '[::1]:9', 'gpu:1'),
      fc.constantFrom('', '/', '/v1', '/v1/', '//v1//', '/v1/chat/completions', '/a/b/models', '/chat/completions/'),
    );
    fc.assert(
      fc.property(typed, (parts) => {
        const once = repaired(parts.join(''));
        expect(once).toMatch(/^https?:\/\/[^/]+(\/[^/]+)+$/);
        expect(repaired(once)).toBe(once);
      }),
    );
  });
});
