import type { JsonObject } from './json-value';

declare const brand: unique symbol;

/**
 * A call's name within its task: `call_` and 24 hex digits over step, turn, index, tool and arguments. Never the server's
 * own, which differs each time the same question is asked.
 */
export type ToolCallId = string & { readonly [brand]: 'ToolCallId' };
export const toolCallId = (value: string) => value as ToolCallId;

/** A tool as a model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments; its type is `object`. */
  readonly parameters: JsonObject;
}

/** A call that was read whole and names a tool that there is. Its arguments are not yet held against the schema. */
export interface ToolCall {
  readonly id: ToolCallId;
  readonly name: string;
  readonly arguments: JsonObject;
  /** As the model wrote it. */
  readonly raw: string;
}

/**
 * Why a call is not run. `cut`: the answer, or the call in it, has no end. `unreadable`: it is no call in any form that is
 * understood. `after_broken`: it follows one of these two in the same text, and may be part of it. `nameless`: it names no tool. `unknown_tool`: it names one that there is not. `bad_arguments`: they do
 * not fit what the tool takes.
 */
export type ToolCallRefusal = 'cut' | 'unreadable' | 'after_broken' | 'nameless' | 'unknown_tool' | 'bad_arguments';

export interface RefusedToolCall {
  readonly id: ToolCallId;
  readonly refusal: ToolCallRefusal;
  readonly name: string | null;
  /** Null unless they were read whole: what is broken never enters the history. */
  readonly arguments: JsonObject | null;
  readonly raw: string;
  /** In what the arguments do not fit; for `bad_arguments`. */
  readonly why?: string;
}

/** What a model asked for, in its order. */
export type TurnCall =
  { readonly runs: true; readonly call: ToolCall } | { readonly runs: false; readonly refused: RefusedToolCall };

/** What the model is told of a call, run or refused. */
export interface ToolCallOutcome {
  readonly callId: ToolCallId;
  /** Null when the call named none. */
  readonly name: string | null;
  readonly isError: boolean;
  readonly content: string;
}

/** A call as far as it could be read, before it is known whether there is such a tool. */
export type CallDraft =
  | { readonly read: 'whole'; readonly name: string; readonly arguments: JsonObject; readonly raw: string }
  | {
      readonly read: 'bad_arguments';
      readonly name: string;
      readonly arguments: JsonObject;
      readonly raw: string;
      /** In what they do not fit. */
      readonly why: string;
    }
  | RefusedDraft;

export interface RefusedDraft {
  readonly read: Exclude<ToolCallRefusal, 'unknown_tool' | 'bad_arguments'>;
  readonly name: string | null;
  readonly raw: string;
}

/** What an answer holds of calls. */
export interface ToolCallsRead {
  readonly drafts: readonly CallDraft[];
  /** Calls that were seen in thinking, code, quotes or made-up responses. They are examples, and never run. */
  readonly passedOver: number;
}

/** A turn of the past: what the model said and asked for, and what it was told of each call. */
export interface ToolTurn {
  readonly text: string;
  readonly calls: readonly TurnCall[];
  /** One for each call. */
  readonly outcomes: readonly ToolCallOutcome[];
  /** Said to the model after these, when there is more to say than what came of its calls. */
  readonly notice?: string;
}
