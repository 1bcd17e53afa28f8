import type { EffectKind } from '../core/effect';
import type { Endings } from '../core/endings';
import type { FaultPlan } from '../core/fault-points';
import type { IgnoreReason } from '../core/folder';
import type {
  CheckpointStore,
  Clock,
  Digest,
  Extractor,
  FolderOpener,
  LiveText,
  ModelOpener,
  Random,
} from '../core/ports';
import type { BatchOptions, TaskKind } from '../core/task';
import type { Breakers } from './breaker';
import type { EffectDoer } from './effects/effect-doer';
import type { Job } from './job';

/** Everything the engine is given. */
export interface EnginePorts {
  readonly store: CheckpointStore;
  readonly folders: FolderOpener;
  readonly models: ModelOpener;
  readonly extractor: Extractor;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly random: Random;
  readonly liveText: LiveText;
  readonly endings: () => Endings;
  /** Shared by all tasks of this worker. */
  readonly breakers: Breakers;
  readonly faults: FaultPlan;
  /** Kinds of effects besides writing into the task's folder. */
  readonly doers: ReadonlyMap<EffectKind, EffectDoer>;
  readonly job: (kind: TaskKind) => Job;
  /** The task's globs: null lets a path in. */
  readonly fileFilter: (options: BatchOptions) => (path: string) => IgnoreReason | null;
}

/** Assumed until a server tells. Some common servers cut what is longer without a word (Ollama's default). */
export const DEFAULT_CONTEXT_TOKENS = 4_096;
/** Below this no useful part of a text fits any more. */
export const MIN_CONTEXT_TOKENS = 512;
