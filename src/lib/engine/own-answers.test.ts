import { expect, it } from 'vitest';
import { inputHash } from '../core/ids';
import type { StepRow } from '../core/step';
import { EngineBench, TASK } from '../testing/engine-bench';
import { answer } from '../testing/scripted-model';
import { ownAnswers } from './own-answers';
import { donePart } from './step-rows';
import { toInference, toResultRow } from './answer-rows';
import { sampleCommit, sampleStep } from '../testing/sample-rows';

const STEP: StepRow = {
  ...sampleStep('a.txt', { taskId: TASK }),
  history: [{ startedMs: 0, durationMs: 1, outcome: 'failed', code: 'server_fault' }],
};

it('an answer to a prompt that the server cut is nobody’s, not even its own step’s', async () => {
  const bench = new EngineBench();
  await bench.createTask();
  const own = await bench.store.own(TASK, 1);
  if (!own.ok) throw new Error(own.failure.code);
  const said = answer('Cut', 'length');
  if (!said.ok) throw new Error('no answer');
  const pieces = ['whole', 'tainted'].map((name, index) => {
    const hash = inputHash(name);
    const row = toResultRow(said.value, hash, { key: STEP.key, attempt: 1 }, TASK, 1);
    const inference = {
      ...toInference(row, hash),
      ...(name === 'tainted' && { inputCut: { keptTokens: 1, windowTokens: 1 } }),
    };
    return { part: donePart(STEP, index, inference, 1), row };
  });
  await bench.store.commit(
    sampleCommit(own.value, { steps: pieces.map(({ part }) => part), results: pieces.map(({ row }) => row) }),
  );
  const answers = ownAnswers(bench.store, {}, STEP);
  expect(await answers(inputHash('whole'))).toMatchObject({ ok: true, value: { output: 'Cut' } });
  expect(await answers(inputHash('tainted'))).toMatchObject({ ok: true, value: null });
});
