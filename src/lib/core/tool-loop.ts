import { canonicalJson } from './canonical';
import type { RefusedToolCall, ToolCall, ToolCallRefusal } from './tool';

/** What became of one call, as far as going round in circles is concerned. */
export interface CallRecord {
  /** Equal for calls of the same tool with the same arguments; of what could not be read, for the same text. */
  readonly key: string;
  readonly failed: boolean;
  readonly refusal: ToolCallRefusal | null;
}

/** How often is too often, in turns. */
export interface LoopLimits {
  /** Turns in which the same call failed, since it last succeeded. */
  readonly equalFailures: number;
  /** Turns with calls of tools that there are not, whatever their names, since any call succeeded. */
  readonly unknownTools: number;
  /** Turns with calls that could not be read whole, since any call succeeded. Two leave room for one repair. */
  readonly brokenCalls: number;
  /** Turns altogether. */
  readonly turns: number;
}

export const DEFAULT_LOOP_LIMITS: LoopLimits = { equalFailures: 3, unknownTools: 3, brokenCalls: 2, turns: 100 };

export type LoopStop = 'equal_failures' | 'unknown_tools' | 'broken_calls' | 'turn_limit';

export function ranRecord(call: ToolCall, failed: boolean): CallRecord {
  return { key: canonicalJson({ name: call.name, arguments: call.arguments }), failed, refusal: null };
}

export function refusedRecord({ name, arguments: given, raw, refusal }: RefusedToolCall): CallRecord {
  const key = given === null ? { raw } : { name, arguments: given };
  return { key: canonicalJson(key), failed: true, refusal };
}

/**
 * Whether a conversation goes round in circles, from all its turns so far, each with its calls. Holds no state, so that
 * what a killed owner counted is counted again from the rows. A turn counts once, however many calls it holds: the model
 * has not seen what became of them. Null when it may go on.
 */
export function loopStop(turns: readonly (readonly CallRecord[])[], limits: LoopLimits): LoopStop | null {
  const failures = new Map<string, number>();
  let unknown = 0;
  let broken = 0;
  for (const turn of turns) {
    for (const { key } of distinct(turn.filter(({ failed }) => failed))) {
      failures.set(key, (failures.get(key) ?? 0) + 1);
    }
    for (const { key } of turn.filter(({ failed }) => !failed)) failures.delete(key);
    const succeeded = turn.some(({ failed }) => !failed);
    const refusals = new Set(turn.map(({ refusal }) => refusal));
    const isUnknown = refusals.delete('unknown_tool');
    refusals.delete(null);
    unknown = succeeded ? 0 : unknown + (isUnknown ? 1 : 0);
    broken = succeeded ? 0 : broken + (refusals.size > 0 ? 1 : 0);
    if (Math.max(0, ...failures.values()) >= limits.equalFailures) return 'equal_failures';
    if (unknown >= limits.unknownTools) return 'unknown_tools';
    if (broken >= limits.brokenCalls) return 'broken_calls';
  }
  return turns.length >= limits.turns ? 'turn_limit' : null;
}

function distinct(records: readonly CallRecord[]): Iterable<CallRecord> {
  return new Map(records.map((record) => [record.key, record])).values();
}
