import { describe, expect, it } from 'vitest';
import { Lookahead } from './lookahead';

function after(preparingMs: number, askingMs: number): Lookahead {
  const lookahead = new Lookahead();
  for (let n = 0; n < 40; n += 1) lookahead.observe(preparingMs, askingMs);
  return lookahead;
}

describe('how far to read ahead', () => {
  it('is one file until something is known, and while requests are slow', () => {
    expect(new Lookahead().steps(6)).toBe(1);
    expect(after(30, 5_000).steps(6)).toBe(1);
  });

  it('keeps as many in preparation as the requests use up', () => {
    expect(after(30, 50).steps(6)).toBe(4);
  });

  it('has a limit', () => {
    expect(after(500, 5).steps(64)).toBe(8);
  });
});
