import { describe, expect, it } from 'vitest';
import type { Attempt } from '../core/step';
import { triesLeft } from './tries-left';

const ended = (outcome: Attempt['outcome'], code: Attempt['code'] = null): Attempt => ({
  startedMs: 0,
  durationMs: 1,
  outcome,
  code,
});
const INTERRUPTED = ended('interrupted');
const WAITED = ended('waited', 'endpoint_unreachable');
const CUT = ended('failed', 'stream_cut');
const SILENT = ended('failed', 'first_token_timeout');
const EMPTY = ended('failed', 'empty_response');

describe('tries whose streams may still be going on', () => {
  it.each<[string, number, readonly Attempt[], readonly number[]]>([
    ['none before the first', 0, [], []],
    ['the one that its owner died in', 0, [INTERRUPTED], [1]],
    ['the one that waited for the endpoint', 0, [WAITED], [1]],
    ['the last, which ran out of time before a word came', 1, [SILENT], [1]],
    ['the last, which was cut off, and the one after it that its owner died in', 1, [CUT, INTERRUPTED], [2, 1]],
    ['none that came to an outcome', 1, [EMPTY], []],
    ['none from before an outcome', 2, [CUT, EMPTY], []],
    ['the one that was interrupted after an outcome', 1, [EMPTY, INTERRUPTED], [2]],
    ['none of a step that failed for good and is begun anew', 0, [CUT, CUT, CUT, CUT, CUT], []],
    ['none of a step that was done, and is done again', 0, [INTERRUPTED, ended('done')], []],
  ])('%s', (_, attempts, history, left) => {
    expect(triesLeft({ attempts, history })).toEqual(left);
  });
});
