import { describe, expect, it } from 'vitest';
import type { Completion } from '../../core/model';
import { ok } from '../../core/result';
import { sendEndOf } from './send-end';

const ANSWER: Completion = {
  text: 'Done.',
  finishReason: 'stop',
  usage: { promptTokens: 300, completionTokens: 100, estimated: false },
  model: 'hermes',
  firstTokenMs: 10,
  durationMs: 2_000,
};

describe('what an answer says of the server', () => {
  it('is the time of a token, and what it counted', () => {
    expect(sendEndOf(ok(ANSWER))).toEqual({ how: 'answered', latencyMs: 20, countedTokens: 400 });
  });

  it.each(['reattached', 'continued'] as const)('is no time where most of it was there before: %s', (how) => {
    const end = sendEndOf(ok({ ...ANSWER, durationMs: 5, continuation: { how, tokens: 95 } }));
    expect(end).toEqual({ how: 'answered', latencyMs: null, countedTokens: 400 });
  });
});
