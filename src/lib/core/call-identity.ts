import { canonicalJson } from './canonical';
import type { StepKey } from './ids';
import type { Digest } from './ports';
import { toolCallId, type CallDraft, type ToolCallId, type ToolSpec, type TurnCall } from './tool';

/** Where in a task calls were made. */
export interface CallPlace {
  readonly step: StepKey;
  /** The how-many-th answer of the step this is, from 0. */
  readonly turn: number;
}

const ID_DIGITS = 24;

/** Gives calls their ids, and holds their names against the tools that there are. The same answer gives the same ids. */
export async function identifyCalls(
  digest: Digest,
  place: CallPlace,
  drafts: readonly CallDraft[],
  specs: readonly ToolSpec[],
): Promise<readonly TurnCall[]> {
  const known = new Set(specs.map(({ name }) => name));
  return Promise.all(
    drafts.map(async (draft, index): Promise<TurnCall> => {
      const id = await idOf(digest, place, draft, index);
      const { name, raw } = draft;
      if (draft.read === 'bad_arguments') {
        const { arguments: given, why } = draft;
        return { runs: false, refused: { id, refusal: draft.read, name, arguments: given, raw, why } };
      }
      if (draft.read !== 'whole') {
        return { runs: false, refused: { id, refusal: draft.read, name, arguments: null, raw } };
      }
      const call = { id, name: draft.name, arguments: draft.arguments, raw };
      if (known.has(draft.name)) return { runs: true, call };
      return { runs: false, refused: { ...call, refusal: 'unknown_tool' } };
    }),
  );
}

async function idOf(digest: Digest, place: CallPlace, draft: CallDraft, index: number): Promise<ToolCallId> {
  const { step, turn } = place;
  const asked = 'arguments' in draft ? { arguments: draft.arguments } : { raw: draft.raw };
  const hash = await digest.text(canonicalJson({ v: 1, step, turn, index, name: draft.name, ...asked }));
  return toolCallId(`call_${hash.slice(0, ID_DIGITS)}`);
}
