import type { CallDraft, ToolCallsRead, ToolSpec } from '../../core/tool';
import { checkValue } from '../structured/check-value';

/** Holds the arguments of calls against what their tools take. Names that are no tool's are judged elsewhere. */
export function checkArguments(read: ToolCallsRead, specs: readonly ToolSpec[]): ToolCallsRead {
  return { ...read, drafts: read.drafts.map((draft) => checked(draft, specs)) };
}

function checked(draft: CallDraft, specs: readonly ToolSpec[]): CallDraft {
  const spec = draft.read === 'whole' ? specs.find(({ name }) => name === draft.name) : undefined;
  if (draft.read !== 'whole' || spec === undefined) return draft;
  const held = checkValue(draft.arguments, spec.parameters, 'refuse');
  return held.fits ? draft : { ...draft, read: 'bad_arguments', why: held.why };
}
