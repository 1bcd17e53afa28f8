import { expect, test } from 'vitest';
import { chooseLanguage } from './choose-language';

test.each([
  [null, ['en-GB', 'zh-CN'], 'en'],
  [null, ['zh-TW', 'en'], 'zh-CN'],
  [null, ['zh'], 'zh-CN'],
  [null, ['de-DE', 'fr'], 'en'],
  [null, ['de-DE', 'zh-Hans-CN'], 'zh-CN'],
  [null, [], 'en'],
  ['zh-CN', ['en'], 'zh-CN'],
  ['klingon', ['zh-CN'], 'zh-CN'],
] as const)('kept %j, browser says %j: %s', (kept, wanted, language) => {
  expect(chooseLanguage(kept, wanted)).toBe(language);
});
