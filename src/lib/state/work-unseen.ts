import type { TaskList } from '../storage/task-list';
import { rows } from './page-rows';

/**
 * Whether something is left to do that no task's row tells of: a removal cut off in the middle, or, when the browser
 * has lost its database, endpoints to put back and journals without their tasks. Costs a count and one listing.
 */
export async function hasWorkUnseen(tasks: TaskList): Promise<boolean> {
  if (await rows.hasRemovals().catch(() => false)) return true;
  if (await rows.isLost().catch(() => false)) return true;
  // One that only waits for room may find it now.
  const settled = tasks.quarantined.filter(({ failure }) => failure.verdict !== 'wait');
  const known = new Set<string>([...tasks.readable, ...settled].map(({ id }) => id));
  const journaled = await journaledTasks().catch(() => []);
  return journaled.some((id) => !known.has(id));
}

async function journaledTasks(): Promise<readonly string[]> {
  const { OpfsJournalFiles } = await import('../storage/journal/journal-files-opfs');
  return new OpfsJournalFiles(() => navigator.storage.getDirectory()).tasks();
}
