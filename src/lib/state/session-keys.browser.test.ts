import { afterEach, expect, test } from 'vitest';
import { endpointId } from '../core/ids';
import { keepSessionKey, sessionKeys } from './session-keys';

const one = endpointId('one');
const two = endpointId('two');

afterEach(() => sessionStorage.clear());

test('SEC-09: a session key lies in this tab only, and an empty one removes it', () => {
  keepSessionKey(one, 'sk-TEST-123456');
  keepSessionKey(two, 'sk-other');
  expect(sessionKeys()).toEqual([
    [one, 'sk-TEST-123456'],
    [two, 'sk-other'],
  ]);
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('sk-TEST-123456');
  keepSessionKey(one, '');
  expect(sessionKeys()).toEqual([[two, 'sk-other']]);
});

test.each(['not json', 'null', '[1]', '{"one":5}'])(
  'what else lies there (%s) is no key and breaks nothing',
  (kept) => {
    sessionStorage.setItem('talaria.session-keys', kept);
    expect(sessionKeys()).toEqual([]);
    keepSessionKey(one, 'sk-new');
    expect(sessionKeys()).toEqual([[one, 'sk-new']]);
  },
);
