import { canonicalJson, type Canonical } from './canonical';
import type { InputHash } from './ids';
import type { ModelRequest } from './model';
import type { Digest } from './ports';
import type { ToolTurn } from './tool';

/** What only some requests have: those without it keep the hash that they always had. */
function asked({ schema, tools = [], turns = [] }: ModelRequest): { readonly [key: string]: Canonical } {
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }),
    ...(turns.length === 0 ? {} : { turns: turns.map(canonicalTurn) }),
  };
}

function canonicalTurn({ text, calls, outcomes, notice }: ToolTurn): Canonical {
  return {
    text,
    calls: calls.map((call) => (call.runs ? { ...call.call } : { ...call.refused })),
    outcomes: outcomes.map(({ callId, name, isError, content }) => ({ callId, name, isError, content })),
    notice,
  };
}

/**
 * The identity of a request: model, messages and parameters, whole. A changed file, prompt or model can never meet an
 * old result, and an unchanged one always does. Paths are not part of it, so equal content is asked about once.
 */
export async function inputHashOf(digest: Digest, model: string, request: ModelRequest): Promise<InputHash> {
  return digest.text(
    canonicalJson({
      v: 1,
      model,
      messages: request.messages.map(({ role, content }) => ({ role, content })),
      temperature: request.temperature,
      maxTokens: request.maxTokens,
      ...asked(request),
    }),
  );
}
