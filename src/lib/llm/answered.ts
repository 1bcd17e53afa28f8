import type { Completion, ModelRequest } from '../core/model';
import type { ToolCallsRead } from '../core/tool';
import type { AnswerRead } from './answer-reader';
import { readStructured } from './structured/read-structured';
import { checkArguments } from './tools/check-arguments';

type Answered = Pick<Completion, 'text' | 'finishReason' | 'thinking' | 'unmet' | 'calls'>;

/** What a whole answer says to the request: its text or the JSON asked for, what was thought, and what is called. */
export function answered(request: ModelRequest, read: AnswerRead): Answered {
  const { thinking } = read;
  const calls = read.calls && checkArguments(read.calls, request.tools ?? []);
  const reason = read.finishReason ?? 'stop';
  return {
    ...said(request, read, calls),
    // Not every server tells a turn that ends with calls from one that does not.
    finishReason: calls !== null && calls.drafts.length > 0 && reason === 'stop' ? 'tool_calls' : reason,
    ...(thinking === null ? {} : { thinking }),
    ...(calls === null ? {} : { calls }),
  };
}

/** What was cut is never made to fit, and a turn with calls is not the answer yet. */
function said(
  { schema }: ModelRequest,
  { text, finishReason }: AnswerRead,
  calls: ToolCallsRead | null,
): Pick<Answered, 'text' | 'unmet'> {
  if (schema === undefined || finishReason === 'length' || calls !== null) return { text };
  const structured = readStructured(text, schema);
  return structured.fits ? { text: structured.json } : { text, unmet: structured.why };
}
