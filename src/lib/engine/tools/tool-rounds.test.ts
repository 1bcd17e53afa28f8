import { expect, it, vi } from 'vitest';
import { resultKey, stepKey, inputHash } from '../../core/ids';
import type { ModelRequest } from '../../core/model';
import { ok } from '../../core/result';
import type { CallDraft, ToolCallsRead } from '../../core/tool';
import { plainDigest } from '../../testing/plain-digest';
import type { Inference } from '../job';
import { toolRounds, type Tool } from './tool-rounds';

const REQUEST: ModelRequest = {
  messages: [{ role: 'user', content: 'Read a.' }],
  temperature: 0,
  maxTokens: 100,
  material: { what: 'file', text: '', language: 'en', ask: '' },
};
const whole = (name: string, given = {}): CallDraft => ({ read: 'whole', name, arguments: given, raw: name });

function inference(text: string, calls?: ToolCallsRead): Inference {
  const usage = { promptTokens: 1, completionTokens: 1, estimated: false };
  const finishReason = calls ? 'tool_calls' : 'stop';
  const row = {
    v: 1,
    reusable: true,
    output: text,
    finishReason,
    usage,
    model: 'm',
    createdMs: 0,
    lastUsedMs: 0,
  } as const;
  const key = resultKey('r');
  return {
    text,
    inputHash: inputHash('h'),
    resultKey: key,
    finishReason,
    usage,
    continuation: null,
    reused: false,
    row: { ...row, key, ...(calls ? { calls } : {}) },
  };
}

/** Answers in their order, the last one for ever; what was asked is kept. */
async function rounds(answers: readonly (readonly CallDraft[] | string | ToolCallsRead)[], isError = false) {
  const asked: ModelRequest[] = [];
  const run = vi.fn<Tool['run']>(() => Promise.resolve(ok({ content: 'Contents of a.', isError })));
  const tool: Tool = { spec: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }, run };
  const ended = await toolRounds(REQUEST, {
    step: stepKey('file/a'),
    digest: plainDigest,
    tools: [tool],
    signal: new AbortController().signal,
    infer: (request) => {
      asked.push(request);
      const next = answers[Math.min(asked.length, answers.length) - 1] ?? '';
      if (typeof next === 'string') return Promise.resolve(ok(inference(next)));
      return Promise.resolve(ok(inference('', 'drafts' in next ? next : { drafts: next, passedOver: 0 })));
    },
  });
  return { ended, asked, run };
}

it('does what is called, tells what came of it, and ends with the answer that calls nothing', async () => {
  const { ended, asked, run } = await rounds([[whole('read_file', { path: 'a' })], 'It says so.']);
  expect(ended).toMatchObject({ ok: true, value: { answer: { text: 'It says so.' } } });
  expect(run).toHaveBeenCalledOnce();
  expect(asked[1]?.turns).toMatchObject([
    { outcomes: [{ name: 'read_file', content: 'Contents of a.', isError: false }] },
  ]);
});

it('gives the same calls the same ids, whoever asks', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => rounds([[whole('read_file'), whole('read_file')], 'Done.'])));
  const ids = one?.asked[1]?.turns?.[0]?.outcomes.map(({ callId }) => callId);
  expect(new Set(ids).size).toBe(2);
  expect(two?.asked[1]?.turns?.[0]?.outcomes.map(({ callId }) => callId)).toEqual(ids);
});

it('HTC-05: never does a cut call, asks for it once more, and ends then', async () => {
  const { ended, asked, run } = await rounds([[{ read: 'cut', name: 'read_file', raw: '{"name": "read_f' }]]);
  expect(ended).toMatchObject({ ok: false, failure: { code: 'tool_calls_broken', verdict: 'fail' } });
  expect([asked.length, run.mock.calls.length]).toEqual([2, 0]);
});

it('HTC-08: answers an unknown tool with the known ones, and ends at the limit', async () => {
  const { ended, asked, run } = await rounds([[whole('delete_all')]]);
  expect(ended).toMatchObject({ ok: false, failure: { code: 'tool_loop' } });
  expect([asked.length, run.mock.calls.length]).toEqual([3, 0]);
  expect(asked[1]?.turns?.[0]?.outcomes[0]?.content).toContain('The tools are: read_file.');
});

it('HTC-13: ends after the same call failed three times', async () => {
  const { ended, run } = await rounds([[whole('read_file', { path: 'b' })]], true);
  expect(ended).toMatchObject({ ok: false, failure: { code: 'tool_loop', details: { turns: 3 } } });
  expect(run).toHaveBeenCalledTimes(3);
});

it('ends after as many turns as there may be', async () => {
  const many = Array.from({ length: 150 }, (_, n) => [whole('read_file', { path: String(n) })]);
  const { ended, run } = await rounds(many);
  expect(ended).toMatchObject({ ok: false, failure: { code: 'tool_turns_spent' } });
  expect(run).toHaveBeenCalledTimes(100);
});

it('says once of calls that were only quoted that nothing was run, and takes the next answer as it stands', async () => {
  const { ended, asked, run } = await rounds([{ drafts: [], passedOver: 1 }]);
  expect(ended.ok).toBe(true);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.turns?.[0]?.notice).toMatch(/Nothing was run/);
  expect(run).not.toHaveBeenCalled();
});
