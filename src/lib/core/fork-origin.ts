import type { EndpointId, StepKey, TaskId } from './ids';
import type { StepType } from './step';
import type { BatchOptions, TaskRow } from './task';

/** Where a fork comes from. Its steps are copied when it is first worked on, by its owner, in pages. */
export interface ForkOrigin {
  readonly taskId: TaskId;
  /** The other task's name at that time, for showing. */
  readonly name: string;
  /** The commit of the other task whose state this one begins with. */
  readonly seq: number;
  /** When that commit was made, Unix milliseconds. */
  readonly atMs: number;
  /** Nothing that a request is made of differs: what was done is done here, too. */
  readonly keepsResults: boolean;
  /** How far the copying has come; null once the fork is whole. */
  readonly copying: ForkCursor | null;
}

export interface ForkCursor {
  readonly type: StepType;
  /** The last key that was looked at. */
  readonly after: StepKey | null;
}

/** What a fork does otherwise than its parent; what is absent stays. */
export interface ForkChanges extends Partial<
  Pick<BatchOptions, 'template' | 'instructions' | 'language' | 'concurrency'>
> {
  /** @default the parent's, with "(fork)" behind it */
  readonly name?: string;
  readonly endpointId?: EndpointId;
}

export const FORK_BEGIN: ForkCursor = { type: 'file', after: null };

export function isWhole(origin: ForkOrigin): boolean {
  return origin.copying === null;
}

/** The task that this one has yet to copy from; null for one that is whole in itself. */
export function copiedFrom({ forkedFrom }: TaskRow): TaskId | null {
  return forkedFrom && !isWhole(forkedFrom) ? forkedFrom.taskId : null;
}

/** The fork that still copies from the task, so that it must not be deleted now; null when there is none. */
export function unfinishedForkOf(tasks: readonly TaskRow[], parent: TaskId): TaskRow | null {
  return tasks.find((task) => copiedFrom(task) === parent) ?? null;
}
