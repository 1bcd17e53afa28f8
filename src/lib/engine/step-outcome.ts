import type { CommitDraft } from '../core/commit';
import type { Random } from '../core/ports';
import type { Attempt, StepRow } from '../core/step';
import type { StepOutcome } from './job';
import { MAX_ATTEMPTS, retryDelayMs } from './retry-policy';
import { doneStep, stepDraft, unsuccessfulStep } from './step-rows';
import { afterWait, type Asked } from './suspicion';
import type { Settled } from './work-loop';

type Unsaved<T> = T extends unknown ? Omit<T, 'saved' | 'handled'> : never;
type Move = Unsaved<Settled>;

/** What a try's outcome does to the step's row, and what the loop does next. Pure. */
export interface Judgement {
  readonly after: StepRow;
  readonly draft: CommitDraft;
  readonly next: Move;
}

interface Facts {
  /** The row as it was when the step was handed out, and as the last commit of this try left it. */
  readonly step: StepRow;
  readonly before: StepRow;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly outputTokens: number;
  readonly random: Random;
  /** What is known of the server when a request went out in this try; null when none did. */
  readonly asked: Asked | null;
}

export function judge(outcome: StepOutcome, facts: Facts): Judgement {
  const { before } = facts;
  const spent = {
    usage: outcome.usage,
    requests: outcome.requests,
    reusedRequests: outcome.reusedRequests,
    saved: outcome.saved,
  };
  const drafted = (after: StepRow, next: Move, results: CommitDraft['results'] = []): Judgement => ({
    after,
    draft: { ...stepDraft(before, after), ...spent, results },
    next,
  });
  const attempt = (result: Attempt['outcome'], code: Attempt['code']): Attempt => ({
    startedMs: facts.startedMs,
    durationMs: facts.durationMs,
    outcome: result,
    code,
  });
  if (outcome.ok) {
    const after = doneStep(before, outcome, facts.outputTokens, attempt('done', null));
    return drafted(after, { kind: 'settled' }, [outcome.result]);
  }
  const { failure } = outcome;
  const end = (status: 'failed' | 'skipped') =>
    drafted(
      unsuccessfulStep(before, status, outcome, attempt(status, failure.code), true),
      { kind: 'settled' },
      outcome.result ? [outcome.result] : [],
    );
  const again = (next: Move) =>
    drafted(unsuccessfulStep(before, 'pending', outcome, attempt('failed', failure.code), true), next);
  const isLastTry = before.attempts + 1 >= MAX_ATTEMPTS;
  switch (failure.verdict) {
    case 'skip':
      return end('skipped');
    case 'fail':
      return end('failed');
    case 'retry':
      return isLastTry
        ? end('failed')
        : again({ kind: 'again', delayMs: retryDelayMs(before.attempts + 1, failure, facts.random) });
    case 'adapt':
      if (isLastTry) return end('failed');
      return again(facts.step.type === 'file' ? { kind: 'again', delayMs: 0 } : { kind: 'replan' });
    case 'wait':
    case 'ask': {
      const after = unsuccessfulStep(before, 'pending', outcome, attempt('waited', failure.code), false);
      const noted = facts.asked ? afterWait(after, failure, facts.asked) : after;
      return drafted(noted, { kind: 'wait', failure });
    }
  }
}
