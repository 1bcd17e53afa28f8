import { describe, expect, it } from 'vitest';
import { parseGlobs } from './folder-choice-globs';

describe('parseGlobs', () => {
  it.each([
    ['', []],
    ['  \n , ', []],
    ['**/*.txt', ['**/*.txt']],
    ['a/**, b/**\nc.md', ['a/**', 'b/**', 'c.md']],
    ['**/*.{txt,md}, 访谈/**', ['**/*.{txt,md}', '访谈/**']],
    ['**/*.txt，**/*.md', ['**/*.txt', '**/*.md']],
    ['a{b,\nc}', ['a{b,', 'c}']],
    ['}a,b', ['}a', 'b']],
  ])('reads %j', (typed, globs) => {
    expect(parseGlobs(typed)).toEqual(globs);
  });
});
