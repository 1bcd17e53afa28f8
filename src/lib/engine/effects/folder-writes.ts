import { FOLDER_WRITE } from '../../core/effect';
import type { Digest, Folder } from '../../core/ports';
import { ok } from '../../core/result';
import type { EffectDoer } from './effect-doer';

/** Closing a file costs far more than writing it: several are closed at once. */
const FILES_AT_ONCE = 4;

/** Files below `talaria/` of a folder: what they hold can always be looked at. */
export function folderWrites(folder: Folder, digest: Digest): EffectDoer {
  return {
    kind: FOLDER_WRITE,
    atOnce: FILES_AT_ONCE,
    async look(target) {
      const held = await folder.readOutput(target);
      if (!held.ok) return held;
      // The platform makes an empty file first and moves the content there when it is whole; nothing is lost with one.
      return ok(held.value === null || held.value.length === 0 ? null : await digest.bytes(held.value));
    },
    async carryOut(target, payload) {
      const written = await folder.write(target, payload);
      return written.ok ? ok(null) : written;
    },
  };
}
