import { describe, expect, it } from 'vitest';
import { chosenFiles } from './folder-choice-files';

function file(name: string, relativePath: string): File {
  const made = new File(['x'], name);
  Object.defineProperty(made, 'webkitRelativePath', { value: relativePath });
  return made;
}

describe('chosenFiles', () => {
  it('takes the folder off the paths and keeps its name', () => {
    const chosen = chosenFiles([file('a.txt', '访谈/a.txt'), file('b.txt', '访谈/2026/b.txt')]);
    expect(chosen.folderName).toBe('访谈');
    expect(chosen.files.map(({ path }) => path)).toEqual(['a.txt', '2026/b.txt']);
  });

  it('FSA-10: tells equal names apart where the browser gives no paths', () => {
    const chosen = chosenFiles([
      file('a.txt', ''),
      file('a.txt', ''),
      file('a.txt', ''),
      file('.env', ''),
      file('.env', ''),
    ]);
    expect(chosen.folderName).toBe('');
    expect(chosen.files.map(({ path }) => path)).toEqual(['a.txt', 'a (2).txt', 'a (3).txt', '.env', '.env (2)']);
  });

  it('is empty for an empty choice', () => {
    expect(chosenFiles([])).toEqual({ folderName: '', files: [] });
  });
});
