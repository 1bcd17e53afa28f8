import { identifyCalls } from '../../core/call-identity';
import type { FailureCode } from '../../core/failure-codes';
import { failure } from '../../core/failure';
import type { StepKey } from '../../core/ids';
import type { ModelRequest } from '../../core/model';
import type { Digest } from '../../core/ports';
import { answerPassedOver, answerRefused } from '../../core/refusal-answer';
import { fail, ok, type Result } from '../../core/result';
import type { ToolCall, ToolCallOutcome, ToolSpec, ToolTurn, TurnCall } from '../../core/tool';
import {
  DEFAULT_LOOP_LIMITS,
  loopStop,
  ranRecord,
  refusedRecord,
  type CallRecord,
  type LoopLimits,
  type LoopStop,
} from '../../core/tool-loop';
import type { Inference } from '../job';

/** Something that a model may have done. */
export interface Tool {
  readonly spec: ToolSpec;
  /** What the model is told of it. An error is an answer too; a failure ends the step, an abort the run. */
  run(call: ToolCall, signal: AbortSignal): Promise<Result<{ readonly content: string; readonly isError: boolean }>>;
}

interface Rounds {
  readonly step: StepKey;
  readonly digest: Digest;
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  readonly infer: (request: ModelRequest) => Promise<Result<Inference>>;
  /** @default DEFAULT_LOOP_LIMITS */
  readonly limits?: LoopLimits;
}

export interface RoundsEnd {
  /** The answer that called nothing any more. */
  readonly answer: Inference;
  readonly turns: readonly ToolTurn[];
}

const STOPS: Readonly<Record<LoopStop, FailureCode>> = {
  equal_failures: 'tool_loop',
  unknown_tools: 'tool_loop',
  broken_calls: 'tool_calls_broken',
  turn_limit: 'tool_turns_spent',
};

/**
 * Asks, does what is called, tells what came of it, and asks again, until the model calls nothing. Calls that are cut, that
 * cannot be read, that name no tool or do not fit it are never done: the model is told why. Failures: `tool_loop`,
 * `tool_calls_broken`, `tool_turns_spent` when it goes round in circles, and those of the model and the tools.
 */
export async function toolRounds(request: ModelRequest, rounds: Rounds): Promise<Result<RoundsEnd>> {
  const { step, digest, tools, signal, infer, limits = DEFAULT_LOOP_LIMITS } = rounds;
  const specs = tools.map(({ spec }) => spec);
  const turns: ToolTurn[] = [];
  const records: CallRecord[][] = [];
  let wasTold = false;
  for (;;) {
    signal.throwIfAborted();
    const asked = await infer({ ...request, tools: specs, turns: [...(request.turns ?? []), ...turns] });
    if (!asked.ok) return asked;
    const { text, row } = asked.value;
    const drafts = row.calls?.drafts ?? [];
    const notice = answerPassedOver(row.calls?.passedOver ?? 0, drafts.length, wasTold);
    if (drafts.length === 0 && notice === null) return ok({ answer: asked.value, turns });
    wasTold ||= notice !== null;
    const calls = await identifyCalls(digest, { step, turn: turns.length }, drafts, specs);
    const outcomes: ToolCallOutcome[] = [];
    const counted: CallRecord[] = [];
    for (const call of calls) {
      signal.throwIfAborted();
      const told = await outcomeOf(call, tools, signal);
      if (!told.ok) return told;
      outcomes.push(told.value);
      counted.push(call.runs ? ranRecord(call.call, told.value.isError) : refusedRecord(call.refused));
    }
    turns.push({ text, calls, outcomes, ...(notice === null ? {} : { notice }) });
    records.push(counted);
    const stop = loopStop(records, limits);
    if (stop !== null) return fail(failure(STOPS[stop], { message: stop, details: { turns: turns.length } }));
  }
}

async function outcomeOf(
  call: TurnCall,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<Result<ToolCallOutcome>> {
  const specs = tools.map(({ spec }) => spec);
  if (!call.runs) return ok(answerRefused(call.refused, specs));
  const { id, name } = call.call;
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const ran = await tool.run(call.call, signal);
  return ran.ok ? ok({ callId: id, name, ...ran.value }) : ran;
}
