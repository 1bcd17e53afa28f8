import type { FailureCode } from '../../../core/failure-codes';
import { detail, type FailureText } from '../../failure-text';

export const effectFailures = {
  effect_conflict: {
    what: (d) => `What was to be done to ${detail(d, 'target') ?? 'a target'} is not what was written down for it.`,
    safe: () => 'It was not done a second time, and everything finished is saved.',
    next: () => 'This is a defect of Talaria. Please report it with the technical details.',
  },
  effect_in_doubt: {
    what: (d) => `Nobody can tell whether ${detail(d, 'target') ?? 'a request'} was sent before the app ended.`,
    safe: () => 'It is not sent again by itself, and it is not forgotten. Everything finished is saved.',
    next: () => 'Look at the other side, then say whether it was sent, send it again, or skip it.',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;
