import type { FieldSpec } from './fields';
import type { JsonObject } from './json-value';
import type { Language } from './language';
import type { Continuation } from './saved';
import type { ToolCallsRead, ToolSpec, ToolTurn } from './tool';
import type { Usage } from './usage';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/**
 * One question to a model. `messages` is all that a language model gets. `material` is the same matter before it was
 * worded, for an engine without a language model; it is never sent and not part of the input hash, since the messages
 * hold it whole.
 */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly temperature: number;
  readonly maxTokens: number;
  readonly material: Material;
  /** JSON schema that the answer is to fit. Absent: the answer is text. */
  readonly schema?: JsonObject;
  /** What the model may call. Absent or empty: nothing, and what looks like a call is text. */
  readonly tools?: readonly ToolSpec[];
  /** The conversation after `messages`: what was called, and what came of it. */
  readonly turns?: readonly ToolTurn[];
}

export type Material =
  | {
      readonly what: 'file' | 'part';
      readonly text: string;
      readonly language: Language;
      readonly ask: string;
      /** What is looked for in the text; absent when it is notes that are asked for. */
      readonly fields?: readonly FieldSpec[];
    }
  | {
      readonly what: 'join' | 'merge';
      readonly texts: readonly string[];
      readonly language: Language;
      readonly ask: string;
    }
  | {
      readonly what: 'section';
      readonly section: ReportSection;
      readonly texts: readonly string[];
      readonly language: Language;
      readonly ask: string;
    };

export type ReportSection = 'executive_summary' | 'main_findings' | 'patterns' | 'conclusions';
export const REPORT_SECTIONS: readonly ReportSection[] = [
  'executive_summary',
  'main_findings',
  'patterns',
  'conclusions',
];

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Of what a model thought before its answer no more than this is kept, in characters. */
export const MAX_THINKING_CHARACTERS = 64 * 1024;

/** A whole answer: a finish reason was seen, and there is text or a call. Anything less is a failure. */
export interface Completion {
  /** For a request with a schema that the answer fits: its JSON, without fences and what stood around. */
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** The name the server answered with, or the one asked for. */
  readonly model: string;
  readonly firstTokenMs: number | null;
  readonly durationMs: number;
  /** What the model thought before it answered, up to `MAX_THINKING_CHARACTERS`; absent when it showed nothing of it. */
  readonly thinking?: string;
  /** In what the answer does not fit the request's schema, for the model to mend; absent when it fits, or was cut. */
  readonly unmet?: string;
  /** What the model called; absent when it was given no tools, or called none. */
  readonly calls?: ToolCallsRead;
  /** How it outlived an interruption; null, or absent, for one that was asked for whole. */
  readonly continuation?: Continuation | null;
  /** The answer is to a part of the prompt only; absent when the server read it whole, as far as can be told. */
  readonly inputCut?: InputCut;
}

/** What a server read of a prompt that it cut without a word. */
export interface InputCut {
  /** Tokens of the prompt that were read. */
  readonly keptTokens: number;
  /** The server's window, as far as the cut tells: what the next prompts have to fit into. */
  readonly windowTokens: number;
}

/** Limits of one request, in milliseconds of the monotonic clock. */
export interface RequestClocks {
  /** Until response headers. Servers with a queue send none before the first token, so it is as long as the next one. */
  readonly connectMs: number;
  /** From headers, or the last sign of progress, to the first token. */
  readonly firstTokenMs: number;
  /** How many times the time that reading the prompt should take is added to these two. */
  readonly readingMargin: number;
  /** Between tokens, once they flow. */
  readonly idleMs: number;
  readonly wholeMs: number;
  /** How long to wait for usage and the end of the stream once a finish reason was seen. */
  readonly graceMs: number;
  /** How long a request may take to show life after the machine slept; before the first token, beside the reading. */
  readonly wakeMs: number;
}

export const DEFAULT_CLOCKS: RequestClocks = {
  connectMs: 10 * 60_000,
  firstTokenMs: 10 * 60_000,
  readingMargin: 3,
  idleMs: 2 * 60_000,
  wholeMs: 60 * 60_000,
  graceMs: 2_000,
  wakeMs: 30_000,
};

/** Earlier tries of the same request that ran out of a clock: it is not tried again with the same limit. */
export interface EarlierTimeouts {
  /** Times without headers or without a first token in time. */
  readonly firstToken: number;
  /** Times not finished in time. */
  readonly whole: number;
}

export const NO_TIMEOUTS: EarlierTimeouts = { firstToken: 0, whole: 0 };
