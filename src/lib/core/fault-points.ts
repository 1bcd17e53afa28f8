import type { TaskId } from './ids';

/**
 * Named moments in a task's life at which it must be possible to be ended, in the order in which they come. Tests and
 * a person who wants to see it make the engine fail there; nobody else does.
 */
export const FAULT_POINTS = [
  /** The task is ours by its epoch; nothing of the last owner was looked at. */
  'after-own',
  /** The folder was walked and compared, and what came of it is saved. */
  'after-plan',
  /** A step has its permit and is about to send its request. */
  'before-request',
  /** Text of an answer has come, and more is to come. Counts pieces of text. */
  'mid-stream',
  /** A whole answer is in memory, and nowhere else. */
  'after-response',
  /** Rows are about to be written. */
  'before-commit',
  /** Rows are written; the owner has not heard of it. */
  'after-commit',
  /** It is saved that a side effect is going to be made, and it is not made. */
  'after-intent',
  /** A side effect is made, and it is not saved that it is. */
  'after-effect',
  /** All side effects of a kind are made; the row that says so is about to be written. */
  'before-done',
  /** The next steps of the report tree are saved, and none of them is begun. */
  'mid-reduce',
  /** Every section is there; the report is about to be put together. */
  'before-report',
  /** The report is put together in memory, and nowhere else. */
  'after-report',
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Decides at every fault point whether to go on from there. */
export interface FaultPlan {
  /**
   * Called by the engine as it passes a point of a task. Returns or resolves to go on; throws or rejects to fail there;
   * a promise that never settles is an owner that was ended there. At `mid-stream` nothing waits for a promise.
   */
  reach(point: FaultPoint, id: TaskId): void | Promise<void>;
}

/** Goes on everywhere. */
export const NO_FAULTS: FaultPlan = { reach: () => undefined };

/** Ends the owner of one task at the `nth` time, counted from 1, that it passes a point. */
export interface FaultOrder {
  readonly taskId: TaskId;
  readonly point: FaultPoint;
  readonly nth: number;
  /** `throw`: the engine fails there as by a defect. `stop`: the worker ends there, and its host starts another. */
  readonly how: 'throw' | 'stop';
}

/** What an armed point throws. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
  constructor(point: FaultPoint) {
    super(`a fault was asked for ${point}`);
  }
}
