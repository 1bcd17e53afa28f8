import type { Completion, Material, ModelRequest } from '../../core/model';
import type { Model } from '../../core/ports';
import { ok } from '../../core/result';
import { throwIfAborted } from '../abort';
import { fieldValues } from './field-values';
import { noteOnText } from './file-note';
import { mergeNotes } from './merged-note';
import type { Room } from './note';
import { writeSection } from './report-section';

export const BUILT_IN_IDENTITY = 'built-in/textrank-1';
/** The engine has no window; texts beyond this are split so that a pause is never far away. */
const CONTEXT_TOKENS = 32_000;

export interface BuiltInOptions {
  readonly estimateTokens: (text: string) => number;
  readonly monotonicMs: () => number;
}

/**
 * Works without a language model: quotes the most telling sentences of a text, and writes nothing of its own but
 * labels. Equal requests have equal answers. Change `BUILT_IN_IDENTITY` with anything that changes an answer.
 */
export function createBuiltInModel({ estimateTokens, monotonicMs }: BuiltInOptions): Model {
  return {
    identity: BUILT_IN_IDENTITY,
    contextTokens: CONTEXT_TOKENS,
    async complete(request, { signal, onText }) {
      throwIfAborted(signal);
      const startedMs = monotonicMs();
      // A turn of the event loop, so that a pause asked for while another text was ranked is heard.
      await new Promise((resolve) => setTimeout(resolve));
      throwIfAborted(signal);
      const text = answer(request.material, { maxTokens: request.maxTokens, estimateTokens });
      onText?.(text);
      return ok(completionOf(text, request, estimateTokens, monotonicMs() - startedMs));
    },
    async probe(signal) {
      throwIfAborted(signal);
      return ok();
    },
  };
}

function answer(material: Material, room: Room): string {
  const { ask, language } = material;
  switch (material.what) {
    case 'file':
    case 'part':
      if (material.fields) return fieldValues(material.text, material.fields);
      return noteOnText(material.text, ask, language, room);
    case 'join':
    case 'merge':
      return mergeNotes(material.texts, ask, language, room, material.what === 'join');
    case 'section':
      return writeSection(material.section, material.texts, ask, language, room);
  }
}

function completionOf(
  text: string,
  request: ModelRequest,
  estimateTokens: (text: string) => number,
  durationMs: number,
): Completion {
  const promptTokens = request.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0);
  return {
    text,
    finishReason: 'stop',
    usage: { promptTokens, completionTokens: estimateTokens(text), estimated: true },
    model: BUILT_IN_IDENTITY,
    firstTokenMs: null,
    durationMs,
  };
}
