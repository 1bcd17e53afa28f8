import { expect, it } from 'vitest';
import { formatsFor } from './format';
import { messagesFor } from './messages';

it.each([
  ['en', 'it last saved just now.', 'it last saved 3 minutes ago.'],
  ['zh-CN', '（最后保存：刚刚）', '（最后保存：3 分钟前）'],
] as const)('says in %s when what was running had last saved, also a moment ago', (language, moment, minutes) => {
  const { foundAtStart, foundWaiting } = messagesFor(language).home;
  for (const found of [foundAtStart, foundWaiting]) {
    const said = (agoMinutes: number) => found(1, '1', formatsFor(language).relative(-agoMinutes * 60_000, 0));
    expect(said(0)).toContain(moment);
    expect(said(3)).toContain(minutes);
  }
});
