import { describe, expect, it } from 'vitest';
import { sourceMark } from './source-mark';

describe('the mark of a source', () => {
  it('is the same for the same address and model, and tells neither', () => {
    const mark = sourceMark('http://127.0.0.1:8000/v1', 'hermes');
    expect(sourceMark('http://127.0.0.1:8000/v1', 'hermes')).toBe(mark);
    expect(mark).toMatch(/^[0-9a-f]{8}$/);
  });

  it('is another one for another address or another model', () => {
    const marks = [
      sourceMark('http://127.0.0.1:8000/v1', 'hermes'),
      sourceMark('http://127.0.0.1:8001/v1', 'hermes'),
      sourceMark('http://127.0.0.1:8000/v1', 'hermes-2'),
    ];
    expect(new Set(marks).size).toBe(3);
  });
});
