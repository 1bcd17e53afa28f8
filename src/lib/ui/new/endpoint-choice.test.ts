import { describe, expect, it } from 'vitest';
import { BUILT_IN, endpointId } from '../../core/ids';
import { usualEndpoint } from './endpoint-choice';

const profile = (id: string) => ({ id: endpointId(id) });
const task = (id: string) => ({ endpointId: endpointId(id) });

describe('usualEndpoint', () => {
  it('is the one used last that is still there', () => {
    expect(usualEndpoint([profile('a'), profile('b')], [task('gone'), task('b'), task('a')])).toBe('b');
  });

  it('is the first when none was used, also after a try of the built-in one', () => {
    expect(usualEndpoint([profile('a'), profile('b')], [{ endpointId: BUILT_IN }])).toBe('a');
  });

  it('is a new one when there is none', () => {
    expect(usualEndpoint([], [{ endpointId: BUILT_IN }])).toBe('new');
  });
});
