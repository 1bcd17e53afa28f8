import { describe, expect, it } from 'vitest';
import { addCounts, NO_COUNTS, countsDelta } from '../core/counts';
import { failure } from '../core/failure';
import { FAILURE_CODES, FAILURES, type FailureCode } from '../core/failure-codes';
import { inputHash, stepKey } from '../core/ids';
import { NOTHING_SAVED } from '../core/saved';
import { canStepMove, NO_FLAGS, type StepRow } from '../core/step';
import { sampleResult, sampleStep, SAMPLE_TIME_MS } from '../testing/sample-rows';
import type { StepDone, StepFailed } from './job';
import { MAX_ATTEMPTS } from './retry-policy';
import { judge } from './step-outcome';

const USAGE = { promptTokens: 100, completionTokens: 20, estimated: false };
const READING = { format: 'txt', encoding: 'gb18030', characters: 900, parts: 2 };

function failed(code: FailureCode, fields: Partial<StepFailed> = {}): StepFailed {
  return {
    ok: false,
    failure: failure(code),
    file: null,
    reading: null,
    usage: USAGE,
    requests: 2,
    reusedRequests: 1,
    saved: NOTHING_SAVED,
    ...fields,
  };
}

const DONE: StepDone = {
  ok: true,
  inputHash: inputHash('ab'.repeat(32)),
  result: sampleResult('answer', { output: 'Two   words,\n**bold**.' }),
  usage: USAGE,
  requests: 3,
  reusedRequests: 1,
  saved: { reattached: 0, continued: 1, tokens: 40 },
  flags: { ...NO_FLAGS, guessedEncoding: true },
  file: null,
  reading: READING,
};

function judged(outcome: StepDone | StepFailed, before: StepRow = sampleStep('a.txt', { status: 'running' })) {
  const facts = {
    step: before,
    before,
    startedMs: SAMPLE_TIME_MS,
    durationMs: 1_500,
    outputTokens: 7,
    random: () => 0.5,
    asked: { answered: 3, fewLeft: false },
  };
  return judge(outcome, facts);
}

const withAttempts = (attempts: number, fields: Partial<StepRow> = {}) =>
  sampleStep('a.txt', { status: 'running', attempts, ...fields });

describe('success', () => {
  it('is one draft: the row, its result, what it cost and what it changes in the counts', () => {
    const before = withAttempts(1, { failure: failure('server_fault'), usage: USAGE, requests: 2 });
    const { after, draft, next } = judged(DONE, before);
    expect(next).toEqual({ kind: 'settled' });
    expect(after).toMatchObject({
      status: 'done',
      inputHash: DONE.inputHash,
      resultKey: DONE.result.key,
      excerpt: 'Two words, bold.',
      outputTokens: 7,
      attempts: 2,
      failure: null,
      flags: { guessedEncoding: true },
      usage: { promptTokens: 200, completionTokens: 40 },
      requests: 5,
      reading: READING,
      durationMs: 1_500,
      finishedMs: SAMPLE_TIME_MS + 1_500,
    });
    expect(after.history.at(-1)).toEqual({
      startedMs: SAMPLE_TIME_MS,
      durationMs: 1_500,
      outcome: 'done',
      code: null,
    });
    expect(draft).toMatchObject({
      steps: [after],
      results: [DONE.result],
      usage: USAGE,
      requests: 3,
      reusedRequests: 1,
    });
    expect(draft.counts).toEqual(countsDelta(before, after));
  });
});

describe.each(FAILURE_CODES)('%s', (code) => {
  const { verdict } = FAILURES[code];

  it(`is treated as its verdict says: ${verdict}`, () => {
    const { after, next } = judged(failed(code));
    const wanted = {
      retry: ['pending', 1, 'again'],
      adapt: ['pending', 1, 'again'],
      wait: ['pending', 0, 'wait'],
      ask: ['pending', 0, 'wait'],
      skip: ['skipped', 1, 'settled'],
      fail: ['failed', 1, 'settled'],
    }[verdict];
    expect([after.status, after.attempts, next.kind]).toEqual(wanted);
    expect(after.failure?.code).toBe(code);
    expect(after.history.at(-1)?.code).toBe(code);
  });

  it('keeps what was paid, makes a legal move and stores no result', () => {
    const before = withAttempts(2, { usage: USAGE });
    const { after, draft } = judged(failed(code), before);
    expect(after.usage.promptTokens).toBe(200);
    expect(draft).toMatchObject({ usage: USAGE, requests: 2, reusedRequests: 1, results: [] });
    expect(canStepMove(before.status, after.status)).toBe(true);
    const counts = addCounts({ ...NO_COUNTS, planned: 1, running: 1 }, draft.counts ?? NO_COUNTS);
    expect(counts.running).toBe(0);
    expect(Math.min(...Object.values<number>({ ...counts }))).toBeGreaterThanOrEqual(0);
  });
});

describe('the last try', () => {
  it.each(['server_fault', 'empty_response', 'context_overflow'] satisfies FailureCode[])(
    'seed defect 9: %s fails the step at the limit, and not before',
    (code) => {
      expect(judged(failed(code), withAttempts(MAX_ATTEMPTS - 2)).after.status).toBe('pending');
      const last = judged(failed(code), withAttempts(MAX_ATTEMPTS - 1));
      expect([last.after.status, last.after.attempts, last.next.kind]).toEqual(['failed', MAX_ATTEMPTS, 'settled']);
      expect(last.after.finishedMs).toBe(SAMPLE_TIME_MS + 1_500);
    },
  );

  it('waiting is none, however often', () => {
    const { after, next } = judged(failed('endpoint_unreachable'), withAttempts(MAX_ATTEMPTS - 1));
    expect([after.status, after.attempts, after.finishedMs, next.kind]).toEqual([
      'pending',
      MAX_ATTEMPTS - 1,
      null,
      'wait',
    ]);
    expect(after.history.at(-1)?.outcome).toBe('waited');
  });
});

describe('the next try', () => {
  it('seed defect 9: comes after a delay that grows with the tries, or the one that the server asked for', () => {
    const delayAfter = (attempts: number, outcome = failed('server_fault')) => {
      const { next } = judged(outcome, withAttempts(attempts));
      return next.kind === 'again' ? next.delayMs : null;
    };
    expect([0, 1, 2, 3].map((attempts) => delayAfter(attempts))).toEqual([750, 1_500, 3_000, 6_000]);
    const asked = failed('server_busy', { failure: failure('server_busy', { retryAfterMs: 20_000 }) });
    expect(delayAfter(0, asked)).toBe(20_000);
  });

  it('of a file that must be read in smaller parts comes at once; of a piece of the tree it is planned anew', () => {
    expect(judged(failed('context_overflow')).next).toEqual({ kind: 'again', delayMs: 0 });
    const merge = withAttempts(0, { key: stepKey('merge/1/x'), type: 'merge', file: null });
    expect(judged(failed('context_overflow'), merge).next).toEqual({ kind: 'replan' });
  });

  it('knows the file as this try read it, and what was known before where it read nothing', () => {
    const file = { path: 'a.txt', sizeBytes: 99, modifiedMs: 1, digest: null };
    expect(judged(failed('server_fault', { file, reading: READING })).after).toMatchObject({ file, reading: READING });
    const before = withAttempts(0, { reading: READING });
    expect(judged(failed('folder_permission'), before).after).toMatchObject({ file: before.file, reading: READING });
  });
});
