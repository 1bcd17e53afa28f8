import type { TaskId } from '../core/ids';
import type { Shown } from '../core/task';
import type { EffectAnswers } from './effects/answer-effects';

export type TaskCommand = 'continue' | 'retry_failed' | 'pause' | 'cancel' | 'write_output';

/** Carries a command to the tab that owns the task, whichever that is. */
export interface OwnerChannel {
  send(message: OwnerMessage): void;
  onMessage(listener: (message: OwnerMessage) => void): void;
}

export type OwnerMessage =
  | { readonly what: 'command'; readonly id: TaskId; readonly command: TaskCommand; readonly shown: Shown }
  | { readonly what: 'answer'; readonly id: TaskId; readonly answers: EffectAnswers }
  | { readonly what: 'concurrency'; readonly id: TaskId; readonly concurrency: number }
  /** The owner has done what was asked for: who keeps it for the case that there is no owner forgets it. */
  | { readonly what: 'done'; readonly id: TaskId; readonly asked: 'continue' | 'concurrency' }
  /** The task is about to be deleted: nobody should work on it or wait for it. */
  | { readonly what: 'release'; readonly id: TaskId }
  /** Who was about to delete the task is through: if it is still there, it goes on. */
  | { readonly what: 'released'; readonly id: TaskId }
  /** The task's holder lives, and cannot say so in the task's lease now. */
  | { readonly what: 'alive'; readonly id: TaskId }
  | { readonly what: 'wake' };
