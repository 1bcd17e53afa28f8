import { BUILT_IN } from '../../core/ids';
import type { TaskRow } from '../../core/task';
import { CHECK_FOLDER } from './check-folder';

/** Results are shared by tasks that ask the same: this makes sure that the check meets none of a person's. */
export const CHECK_INSTRUCTIONS = 'Self-check';

/** Without those of the self-check, which are deleted by itself, at the latest by the next one when it was cut off. */
export function withoutThrowaway(tasks: readonly TaskRow[]): readonly TaskRow[] {
  return tasks.filter(
    ({ folderName, endpointId, options }) =>
      folderName !== CHECK_FOLDER || endpointId !== BUILT_IN || options.instructions !== CHECK_INSTRUCTIONS,
  );
}
