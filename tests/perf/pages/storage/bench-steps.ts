/** A task's steps as the engine makes them: file steps whose answers are about a thousand characters long, all different. */
import type { CommitDraft } from '../../../../src/lib/core/commit';
import { inputHash, resultKey, type TaskId } from '../../../../src/lib/core/ids';
import type { ResultRow } from '../../../../src/lib/core/results';
import { NO_FLAGS, type StepRow } from '../../../../src/lib/core/step';
import { doneStep, newFileStep, runningStep, stepDraft } from '../../../../src/lib/engine/step-rows';

const USAGE = { promptTokens: 310, completionTokens: 240, estimated: false };

export function pendingStep(taskId: TaskId, index: number): StepRow {
  const number = String(index).padStart(6, '0');
  const path = `interviews ${String(index % 50).padStart(2, '0')}/interview ${number}.txt`;
  return newFileStep(taskId, { path, sizeBytes: 4_000 + (index % 97), modifiedMs: 1_760_000_000_000, digest: null });
}

export function resultOf(index: number): ResultRow {
  const number = String(index).padStart(6, '0');
  return {
    v: 1,
    key: resultKey(hashOf(index)),
    reusable: true,
    output: `Interview ${number}. ${`Speaker ${number} finds that the values lie within the bounds. `.repeat(16)}`,
    finishReason: 'stop',
    usage: USAGE,
    model: 'hermes-4-14b',
    createdMs: 1_760_000_000_000 + index,
    lastUsedMs: 1_760_000_000_000 + index,
  };
}

export function doneStepOf(step: StepRow, result: ResultRow): StepRow {
  const outcome = {
    ok: true,
    inputHash: inputHash(result.key),
    result,
    usage: USAGE,
    requests: 1,
    reusedRequests: 0,
    saved: { reattached: 0, continued: 0, tokens: 0 },
    flags: NO_FLAGS,
    file: step.file,
    reading: { format: 'text', encoding: 'utf-8', characters: 3_980, parts: 1 },
  } as const;
  const attempt = { startedMs: result.createdMs, durationMs: 2_104, outcome: 'done', code: null } as const;
  return doneStep(step, outcome, 250, attempt);
}

/** The three commits in a step's life, as drafts. */
export function planDraft(step: StepRow): CommitDraft {
  return stepDraft(null, step);
}

export function runningDraft(step: StepRow): CommitDraft {
  return stepDraft({ ...step, seq: 1 }, runningStep({ ...step, seq: 1 }));
}

export function doneDraft(step: StepRow, index: number): CommitDraft {
  const before = runningStep({ ...step, seq: 1 });
  const result = resultOf(index);
  return {
    ...stepDraft(before, doneStepOf(before, result)),
    usage: USAGE,
    requests: 1,
    results: [result],
    task: { pace: { samples: index, meanMs: 2_104.5, m2: 88_120.25 } },
  };
}

/** 64 hex digits as spread out as a hash's are. */
function hashOf(index: number): string {
  let value = index + 1;
  return Array.from({ length: 8 }, () => {
    value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    value ^= value >>> 13;
    return (value >>> 0).toString(16).padStart(8, '0');
  }).join('');
}
