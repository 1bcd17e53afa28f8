import type { FinishReason } from '../core/model';

const KNOWN: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['safety', 'content_filter'],
]);

/** Null for reasons that mean the server broke off (`abort`, `error`) and for ones nobody knows. */
export function finishReasonOf(told: string): FinishReason | null {
  return KNOWN.get(told.toLowerCase()) ?? null;
}
