import { canonicalJson } from './canonical';
import type { InputHash } from './ids';
import type { ModelRequest } from './model';
import type { Digest } from './ports';

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
    }),
  );
}
