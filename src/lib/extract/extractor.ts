import type { Extractor } from '../core/ports';
import { failure } from '../core/failure';
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
    async extract(path, bytes) {
      if (bytes.length === 0) return fail(failure('file_empty'));
      const extension = extensionOf(path);
      const unsupported = unsupportedKind(extension);
      if (unsupported !== null) return fail(failure('file_kind_unsupported', { details: { kind: unsupported } }));
      const named = readerByExtension(extension);
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
