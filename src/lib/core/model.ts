import type { Language } from './language';
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
}

export type Material =
  | { readonly what: 'file' | 'part'; readonly text: string; readonly language: Language; readonly ask: string }
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

/** A whole answer: a finish reason was seen and the text is not blank. Anything less is a failure. */
export interface Completion {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** The name the server answered with, or the one asked for. */
  readonly model: string;
  readonly firstTokenMs: number | null;
  readonly durationMs: number;
}

/** Limits of one request, all in milliseconds of the monotonic clock. */
export interface RequestClocks {
  /** Until response headers. Servers with a queue send none before the first token, so it is as long as the next one. */
  readonly connectMs: number;
  /** From headers to the first token; a long prompt on a slow machine takes minutes. */
  readonly firstTokenMs: number;
  /** Between tokens, once they flow. */
  readonly idleMs: number;
  readonly wholeMs: number;
  /** How long to wait for usage and the end of the stream once a finish reason was seen. */
  readonly graceMs: number;
}

export const DEFAULT_CLOCKS: RequestClocks = {
  connectMs: 10 * 60_000,
  firstTokenMs: 10 * 60_000,
  idleMs: 2 * 60_000,
  wholeMs: 60 * 60_000,
  graceMs: 2_000,
};
