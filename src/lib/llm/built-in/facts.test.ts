import { describe, expect, it } from 'vitest';
import { factsOf } from './facts';

const values = (sentence: string) => factsOf(sentence).map((fact) => `${fact.kind} ${fact.value}`);

describe('factsOf', () => {
  it.each([
    ['Due 2026-03-15 or 2026/4/1.', ['date 2026-03-15', 'date 2026/4/1']],
    ['Signed on 3 March 2026, due Mar. 5 and in April 2027.', ['date 3 March 2026', 'date Mar. 5', 'date April 2027']],
    ['2026年3月3日开会，3月5日复会，2026 年 4 月结束。', ['date 2026年3月3日', 'date 3月5日', 'date 2026 年 4 月']],
    ['交付日期为二〇二六年三月十五日', ['date 二〇二六年三月十五日']],
    ['From $120,000 to €95.5 million, or 80 USD.', ['amount $120,000', 'amount €95.5 million', 'amount 80 USD']],
    ['由 12 万元降到 9.5万元，共 3 亿美元', ['amount 12 万元', 'amount 9.5万元', 'amount 3 亿美元']],
    ['Up 20%, i.e. 3.5 percent; 40 kg', ['amount 20%', 'amount 3.5 percent', 'amount 40 kg']],
    ['增长20%，提高两个、5个百分点', ['amount 20%', 'amount 5个百分点']],
    ['We may march on, version 2, chapter 7.', []],
  ])('%s', (sentence, expected) => {
    expect(values(sentence)).toEqual(expected);
  });

  it('gives the clause around a value, whole numbers included', () => {
    expect(factsOf('After long talks, the price rose to $1,250.50 a unit, and Dr. Li agreed on 3 March.')).toEqual([
      { kind: 'amount', value: '$1,250.50', clause: 'the price rose to $1,250.50 a unit' },
      { kind: 'date', value: '3 March', clause: 'Dr. Li agreed on 3 March' },
    ]);
  });
});
