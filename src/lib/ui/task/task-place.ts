import type { TaskId } from '../../core/ids';

export const TASK_TABS = ['files', 'report', 'activity', 'checkpoints'] as const;
export type TaskTab = (typeof TASK_TABS)[number];

/** What of a task is shown; the address says it, so that it can be linked to. */
export interface TaskPlace {
  readonly tab: TaskTab;
  /** Path of the chosen file. */
  readonly file: string | null;
}

export function taskPlace(query: URLSearchParams): TaskPlace {
  const tab = TASK_TABS.find((each) => each === query.get('tab')) ?? 'files';
  return { tab, file: query.get('file') };
}

export function taskAddress(id: TaskId, { tab, file }: TaskPlace): string {
  const query = new URLSearchParams({ id });
  if (tab !== 'files') query.set('tab', tab);
  if (file !== null) query.set('file', file);
  return `?${query}`;
}
