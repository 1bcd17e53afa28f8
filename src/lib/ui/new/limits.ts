import { DEFAULT_FAILURE_PERCENT, MAX_DEADLINE_HOURS, MIN_DEADLINE_HOURS, type BatchOptions } from '../../core/task';

/** What stands in the fields; null while a field is empty or holds no number. */
export interface LimitsTyped {
  deadlineHours: number | null;
  failurePercent: number | null;
}

export const USUAL_LIMITS: Readonly<LimitsTyped> = { deadlineHours: null, failurePercent: DEFAULT_FAILURE_PERCENT };

/** The first field that cannot be taken as it stands. An empty deadline is none, and so is one of no hours. */
export function wrongLimit({ deadlineHours, failurePercent }: LimitsTyped): 'deadline' | 'failures' | null {
  const inRange = (value: number, least: number, most: number) => value >= least && value <= most;
  if (hasDeadline(deadlineHours) && !inRange(deadlineHours, MIN_DEADLINE_HOURS, MAX_DEADLINE_HOURS)) return 'deadline';
  return failurePercent !== null && inRange(failurePercent, 0, 100) ? null : 'failures';
}

export function limitOptions({
  deadlineHours,
  failurePercent,
}: LimitsTyped): Pick<BatchOptions, 'deadlineHours' | 'failurePercent'> {
  return {
    ...(hasDeadline(deadlineHours) ? { deadlineHours } : {}),
    ...(failurePercent === null ? {} : { failurePercent }),
  };
}

function hasDeadline(hours: number | null): hours is number {
  return hours !== null && hours !== 0;
}
