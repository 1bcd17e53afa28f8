import { expect, it } from 'vitest';
import { createExtractor } from './extractor';

const extractor = createExtractor();

it('reads the typographic signs of windows-1252, which Node does not decode', async () => {
  const bytes = Uint8Array.from(
    'L\x92\x9cuvre co\xfbte 95 000 \x80 \x96 c\x92est d\xe9j\xe0 r\xe9gl\xe9\x85 L\x92\xe9quipe a \xe9t\xe9 pr\xe9venue.',
    (sign) => sign.charCodeAt(0),
  );
  expect(await extractor.extract('note.txt', bytes)).toEqual({
    ok: true,
    value: {
      text: 'L’œuvre coûte 95 000 € – c’est déjà réglé… L’équipe a été prévenue.',
      format: 'txt',
      encoding: 'windows-1252',
      guessedEncoding: true,
    },
  });
});

it('reads pages and tables where there is no DOM to lean on, and splits by the same rules', async () => {
  const page = new TextEncoder().encode('<title>会议</title><h1>预算</h1><p>降到 9.5 万元。</p>');
  expect(await extractor.extract('a.html', page)).toMatchObject({
    ok: true,
    value: { text: '会议\n\n# 预算\n\n降到 9.5 万元。' },
  });
  const table = new TextEncoder().encode('编号,说明\r\nTL-205,"两行\r\n说明"\r\n');
  expect(await extractor.extract('a.csv', table)).toMatchObject({
    ok: true,
    value: { text: '编号: TL-205\n说明: 两行\n  说明' },
  });
  const sentence = '合同约定的交付日期为三月十五日，逾期按每日万分之五计收违约金。';
  const parts = extractor.split(sentence.repeat(60), 200);
  expect(parts.map((part) => part.text).join('')).toBe(sentence.repeat(60));
  for (const { text } of parts) expect(text.endsWith('。')).toBe(true);
});
