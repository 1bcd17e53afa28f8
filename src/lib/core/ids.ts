declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };

export type TaskId = Branded<string, 'TaskId'>;
export type FolderId = Branded<string, 'FolderId'>;
export type EndpointId = Branded<string, 'EndpointId'>;
export type ImportId = Branded<string, 'ImportId'>;

/** A step's name within its task: `file/<path>`, `part/<path>#<n>`, `merge/<level>/<digest>`, `section/<name>/<digest>`. */
export type StepKey = Branded<string, 'StepKey'>;

/** Lower-case hex SHA-256 of a file's bytes (over 4 MiB: of its chunks' digests, see `Digest`). */
export type ContentDigest = Branded<string, 'ContentDigest'>;

/** Lower-case hex SHA-256 of the canonical form of everything that determines a step's output. */
export type InputHash = Branded<string, 'InputHash'>;

/**
 * Key of a stored result. A reusable result's key is its input hash; any other carries the attempt it came from. What came
 * with a file has a key of its own before that, see `importedKey`.
 */
export type ResultKey = Branded<string, 'ResultKey'>;

/** An effect's idempotency key: lower-case hex SHA-256 over task, step and logical operation, never over the attempt. */
export type EffectKey = Branded<string, 'EffectKey'>;

/** The endpoint that needs no server. */
export const BUILT_IN = 'built-in' as EndpointId;

export const taskId = (value: string) => value as TaskId;
export const folderId = (value: string) => value as FolderId;
export const endpointId = (value: string) => value as EndpointId;
export const importId = (value: string) => value as ImportId;
export const stepKey = (value: string) => value as StepKey;
export const contentDigest = (value: string) => value as ContentDigest;
export const inputHash = (value: string) => value as InputHash;
export const resultKey = (value: string) => value as ResultKey;
export const effectKey = (value: string) => value as EffectKey;

export const fileStepKey = (path: string) => stepKey(`file/${path}`);
export const partStepKey = (path: string, index: number) =>
  stepKey(`${partKeyPrefix(path)}${String(index).padStart(5, '0')}`);
/** What the keys of all its pieces begin with. */
export const partKeyPrefix = (path: string) => `part/${path}#`;
