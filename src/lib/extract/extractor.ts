import type { Extractor } from '../core/ports';
import { failure, type Failure } from '../core/failure';
import { fail } from '../core/result';
import { extensionOf, readerByContent, readerByExtension } from './formats';
import { isBlankText } from './normal-text';
import { sniffBinary } from './sniff';
import { splitText } from './split';
import { estimateTokens } from './tokens';
import { unsupportedKind } from './unsupported-kinds';

/** Stateless: one does for a whole worker. */
export function createExtractor(): Extractor {
  return {
    refusal: refusalByName,
    async extract(path, bytes) {
      if (bytes.length === 0) return fail(failure('file_empty'));
      const unsupported = refusalByName(path);
      if (unsupported !== null) return fail(unsupported);
      const named = readerByExtension(extensionOf(path));
      if (named?.container !== true) {
        const binary = sniffBinary(bytes);
        if (binary !== null) return fail(failure('file_binary', { details: { kind: binary } }));
      }
      const read = await (named ?? readerByContent(bytes)).read(bytes);
      return read.ok && isBlankText(read.value.text) ? fail(failure('file_empty')) : read;
    },
    split: splitText,
    estimateTokens,
  };
}

function refusalByName(path: string): Failure | null {
  const kind = unsupportedKind(extensionOf(path));
  return kind === null ? null : failure('file_kind_unsupported', { details: { kind } });
}
