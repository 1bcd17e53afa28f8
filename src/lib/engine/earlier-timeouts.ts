import type { FailureCode } from '../core/failure-codes';
import type { EarlierTimeouts } from '../core/model';
import type { StepRow } from '../core/step';

const BEFORE_TOKENS: readonly FailureCode[] = ['connect_timeout', 'first_token_timeout'];

/** How often earlier tries of a step ran out of time, by its row: also those of another owner. */
export function earlierTimeouts({ history }: Pick<StepRow, 'history'>): EarlierTimeouts {
  const times = (codes: readonly FailureCode[]) => history.filter(({ code }) => code && codes.includes(code)).length;
  return { firstToken: times(BEFORE_TOKENS), whole: times(['request_timeout']) };
}
