import { describe, expect, it } from 'vitest';
import { laneCandidates } from './lane-candidates';

describe('laneCandidates', () => {
  it.each<[string, number, string[]]>([
    [
      'http://127.0.0.1:8000/v1',
      4,
      [
        'http://localhost:8000/v1',
        'http://[::1]:8000/v1',
        'http://lane-1.localhost:8000/v1',
        'http://lane-2.localhost:8000/v1',
      ],
    ],
    ['http://localhost:11434/v1/', 2, ['http://127.0.0.1:11434/v1', 'http://[::1]:11434/v1']],
    ['http://[::1]/v1', 1, ['http://127.0.0.1/v1']],
    ['http://127.0.0.1:8000', 1, ['http://localhost:8000']],
    ['http://127.0.0.1:8000/v1', 0, []],
    ['http://127.0.0.1:8000/v1', -3, []],
    ['https://localhost:8000/v1', 4, []],
    ['http://192.168.1.20:8000/v1', 4, []],
    ['https://api.example.com/v1', 4, []],
    ['nonsense', 4, []],
  ])('%s, %d', (baseUrl, count, candidates) => {
    expect(laneCandidates(baseUrl, count)).toEqual(candidates);
  });

  it('gives each name once and the home never', () => {
    const home = 'http://lane-2.localhost:8000/v1';
    const candidates = laneCandidates(home, 9);
    expect(new Set(candidates).size).toBe(9);
    expect(candidates).not.toContain(home);
    expect(new Set(candidates.map((each) => new URL(each).pathname))).toEqual(new Set(['/v1']));
  });
});
