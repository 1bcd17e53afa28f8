import { isFinished, type TaskRow } from '../core/task';
import type { TaskList } from '../storage/task-list';

export interface HomeSections {
  /** Stands still until the person does something. */
  readonly needsYou: readonly TaskRow[];
  readonly running: readonly TaskRow[];
  /** Goes on by itself, or was paused on purpose. */
  readonly waiting: readonly TaskRow[];
  readonly finished: readonly TaskRow[];
}

/** Causes at the endpoint that usually pass without anybody changing a setting. */
const PASSING = new Set<string>(['endpoint_unreachable', 'endpoint_loading', 'network_offline', 'quota_exhausted']);

export type HomeSection = keyof HomeSections;

export function homeSection(task: Pick<TaskRow, 'status' | 'reason' | 'failure' | 'output'>): HomeSection {
  if (waitsForAnswer(task)) return 'needsYou';
  if (isFinished(task.status)) return 'finished';
  if (task.status !== 'paused') return 'running';
  switch (task.reason) {
    case 'user':
    case 'network':
      return 'waiting';
    case 'endpoint':
      return task.failure === null || PASSING.has(task.failure.code) ? 'waiting' : 'needsYou';
    case 'permission':
    case 'storage':
    case 'approval':
    case 'attention':
    case null:
      return 'needsYou';
  }
}

/** A question stands on the task's own page, and nothing else lets it go on. */
export function waitsForAnswer({ status, reason, output }: Pick<TaskRow, 'status' | 'reason' | 'output'>): boolean {
  return status === 'paused' ? reason === 'approval' : status === 'completed' && output === 'waiting';
}

/** Each section newest first; the finished ones by when they finished. */
export function homeSections(tasks: readonly TaskRow[]): HomeSections {
  const inSection = (section: HomeSection) => tasks.filter((task) => homeSection(task) === section);
  return {
    needsYou: inSection('needsYou'),
    running: inSection('running'),
    waiting: inSection('waiting'),
    finished: inSection('finished').sort((a, b) => (b.finishedMs ?? 0) - (a.finishedMs ?? 0)),
  };
}

/** Tasks that one click may set going again. */
export function canContinue(task: Pick<TaskRow, 'status' | 'reason' | 'output'>): boolean {
  return task.status === 'paused' && !waitsForAnswer(task);
}

/** Whether showing these tasks takes the words of failures. */
export function tellsFailures({ readable, quarantined }: TaskList): boolean {
  return quarantined.length > 0 || readable.some(({ status, failure }) => status === 'paused' && failure !== null);
}

export interface HomeTotals {
  readonly files: number;
  /** Null before any task was ever interrupted. */
  readonly repeated: number | null;
}

export function homeTotals(tasks: readonly TaskRow[]): HomeTotals {
  const recovered = tasks.flatMap((task) => (task.recovery ? [task.recovery.repeated] : []));
  return {
    files: tasks.reduce((sum, task) => sum + task.counts.done + task.counts.reused, 0),
    repeated: recovered.length === 0 ? null : recovered.reduce((sum, repeated) => sum + repeated, 0),
  };
}
