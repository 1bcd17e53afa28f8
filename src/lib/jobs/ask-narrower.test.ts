import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failure, type FailureDetails } from '../core/failure';
import type { Completion } from '../core/model';
import { fail, type Result } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { answer, type ScriptedCall } from '../testing/scripted-model';

const CASES = new URL('../../../tests/cases/overflow/', import.meta.url);
const { expected } = JSON.parse(readFileSync(new URL('ctx03-vllm-old.json', CASES), 'utf8')) as {
  expected: { limit: number; prompt: number };
};
const tooLarge = (details: FailureDetails) => fail(failure('max_tokens_too_large', { details }));

async function asking(script: (call: ScriptedCall) => Result<Completion>) {
  const bench = new EngineBench();
  bench.model.contextTokens = 32_768;
  bench.folder.put('a.txt', 'some words here '.repeat(150));
  const asked: number[] = [];
  const matters: string[] = [];
  bench.model.script((call) => {
    if (call.request.material.what === 'section') return answer('fine');
    asked.push(call.request.maxTokens);
    matters.push(call.matter);
    return script(call);
  });
  await bench.createTask({ concurrency: 1 });
  await bench.run();
  const [file] = await bench.files();
  if (!file) throw new Error('no file');
  return { bench, asked, matters, file };
}

describe('an answer that the server has no room for', () => {
  it('CTX-03: is asked for with what the limit leaves, and the text stays whole', async () => {
    const limit = 1_500;
    const details = { usedTokens: expected.prompt, limitTokens: limit };
    const { bench, asked, matters, file } = await asking(({ request }) =>
      request.maxTokens + expected.prompt > limit ? tooLarge(details) : answer('fine'),
    );
    expect(asked).toHaveLength(2);
    expect(asked[1]).toBeLessThanOrEqual(limit - expected.prompt);
    expect(asked[1]).toBeGreaterThan((limit - expected.prompt) / 2);
    expect(new Set(matters).size).toBe(1);
    expect(file).toMatchObject({ status: 'done', attempts: 1, reading: { parts: 1 } });
    expect((await bench.task()).contextTokens).toBeNull();
  });

  it.each<[string, FailureDetails]>([
    ['names no number', {}],
    ['counts no further than its limit', { usedTokens: 10, limitTokens: 32_768 }],
  ])('CTX-03: is halved where the server %s', async (_, details) => {
    const first = { tokens: 0 };
    const { asked, file } = await asking(({ request }) => {
      first.tokens ||= request.maxTokens;
      return request.maxTokens > first.tokens / 3 ? tooLarge(details) : answer('fine');
    });
    const [whole = 0] = asked;
    expect(asked).toEqual([whole, Math.floor(whole / 2), Math.floor(Math.floor(whole / 2) / 2)]);
    expect(file).toMatchObject({ status: 'done', attempts: 1 });
  });

  it('CTX-03: that did not suffice is not kept: the file is read in smaller pieces', async () => {
    const { file, bench } = await asking(({ request, matter }) => {
      if (matter.length < 1_500) return answer('short');
      return request.maxTokens > 100 ? tooLarge({ limitTokens: 1_024 }) : answer('cut', 'length');
    });
    expect(file).toMatchObject({ status: 'done', flags: { truncated: false } });
    expect(file.history.map(({ code }) => code)).toEqual(['max_tokens_too_large', null]);
    expect((await bench.task()).contextTokens).toBe(1_024);
  });

  it.each(['max_tokens_too_large', 'context_overflow'] as const)(
    'CTX-03, CTX-09: %s from every request is never a loop',
    async (code) => {
      const { asked, file } = await asking(() => fail(failure(code)));
      expect(file).toMatchObject({ status: 'failed', attempts: 5, failure: { code } });
      expect(asked.length).toBeLessThan(40);
    },
  );
});
