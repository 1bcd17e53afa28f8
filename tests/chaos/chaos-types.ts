import type { CauseName } from './schedule.mjs';

export interface TaskWish {
  /** Name of its folder, and so of the task. */
  readonly name: string;
  readonly files: number;
  readonly concurrency: number;
  /** Which of the model servers it asks. */
  readonly server: number;
  /** What one answer about a file takes while there is chaos. */
  readonly answerMs: number;
}

export interface ChaosEvent {
  readonly what: CauseName;
  /** So many questions after the event before it … */
  readonly requests: number;
  /** … or after so long, when they do not come, */
  readonly withinMs: number;
  /** … and then this much later: anywhere between two questions. */
  readonly thenMs: number;
  /** For causes that end. */
  readonly forMs: number;
  readonly task: number;
  readonly server: number;
  /** In [0, 1): chooses files. */
  readonly draw: number;
}

/** Everything a round does, as data: it can be kept, cut down and played again. */
export interface Schedule {
  readonly v: 1;
  readonly seed: number;
  readonly servers: number;
  readonly tasks: readonly TaskWish[];
  readonly events: readonly ChaosEvent[];
}

/** A task's row, as far as a round looks at it. */
export interface SeenTask {
  readonly id: string;
  /** Of its folder. */
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly code: string | null;
  readonly output: string;
  readonly seq: number;
  readonly epoch: number;
  readonly failed: number;
  readonly finishedMs: number | null;
  readonly rebuiltMs: number | null;
}

/** What the database holds at one moment. */
export interface SeenState {
  readonly tasks: readonly SeenTask[];
  readonly endpoints: number;
  /** Digests of the questions whose answers are saved. */
  readonly saved: readonly string[];
}

/** A question that a server was asked, in order of arrival. */
export interface Question {
  readonly digest: string;
  readonly task: string | null;
  /** The server itself gave no whole answer: it was told not to. */
  readonly isSpoiled: boolean;
}

export type InvariantName =
  | 'report equals the undisturbed run'
  | 'no finished model call repeated'
  | 'repeated calls within what was in flight'
  | 'every effect exactly once'
  | 'no task stuck'
  | 'nothing that was saved is lost';

export interface RoundResult {
  readonly schedule: Schedule;
  /** How often each cause struck. */
  readonly struck: Readonly<Record<string, number>>;
  /** How often a cause was seen to do what it is to do, where that is not plain. */
  readonly effects: Readonly<Record<string, number>>;
  readonly interruptions: number;
  readonly questions: number;
  readonly repeated: number;
  readonly allowedRepeats: number;
  readonly databasesLost: number;
  readonly helps: Readonly<Record<string, number>>;
  readonly files: number;
  readonly leftovers: number;
  readonly seconds: number;
  /** What did not hold, each with a sentence that says how. */
  readonly broken: readonly { readonly invariant: InvariantName; readonly how: string }[];
}
