import type { FailureCode } from '../../../core/failure-codes';
import { detail, type FailureText } from '../../failure-text';

const SAVED = 'Everything shown as saved is saved.';

/** The browser's storage, and the task as a whole. */
export const storageFailures = {
  storage_full: {
    what: () => 'The browser has no room left to save in.',
    safe: () => `${SAVED} The task is paused before anything could be lost.`,
    next: () =>
      'Free space on the disk, or delete finished tasks under Storage. The task goes on by itself when there is room.',
  },
  storage_closed: {
    what: () => 'The browser closed the connection to its database, and it could not be opened again.',
    safe: () => `${SAVED} Requests that were under way are asked again.`,
    next: () => 'Reload the page; the task goes on by itself. If its data was cleared, start the task again.',
  },
  storage_unavailable: {
    what: () => 'This browser does not let the page keep any data.',
    safe: () => 'Nothing was started that could not be saved.',
    next: () => 'Leave the private window, or allow this site to store data in the browser settings. Then reload.',
  },
  storage_blocked: {
    what: () => 'Another tab with an older version of Talaria holds the database open.',
    safe: () => `${SAVED} Nothing runs until the tabs agree.`,
    next: () => 'Close the other Talaria tabs, or reload them. This one then goes on by itself.',
  },
  row_unreadable: {
    what: () => 'The stored form of this task is damaged and cannot be read.',
    safe: () => 'All other tasks are untouched, and so are your files and the reports written beside them.',
    next: () =>
      'Start a new task on the same folder: answers that are still stored are reused, so only the lost ones are asked again.',
  },
  row_from_newer_version: {
    what: (details) =>
      detail(details, 'table') === 'database'
        ? 'What is stored in this browser was saved by a newer version of Talaria.'
        : 'This task was saved by a newer version of Talaria.',
    safe: () => `${SAVED} This version does not touch it.`,
    next: () => 'Reload the page to get the new version. If you serve Talaria yourself, update it.',
  },
  import_unreadable: {
    what: ({ line }) =>
      line === undefined
        ? 'This file is no task that was exported here, or it is damaged.'
        : `Line ${line} of this file is missing, damaged, or not of a task that was exported here.`,
    safe: () => 'Nothing of it was taken in. Your tasks are as they were.',
    next: () => 'Export the task once more where it still is, and copy the file whole.',
  },
  import_from_newer_version: {
    what: () => 'This file was written by a newer version of Talaria.',
    safe: () => 'Nothing of it was taken in. Your tasks are as they were, and so is the file.',
    next: () =>
      'Reload the page to get the new version, then import it again. If you serve Talaria yourself, update it.',
  },
  import_task_exists: {
    what: ({ task }) => `${task === undefined ? 'This task' : `The task “${task}”`} is in this browser already.`,
    safe: () => 'It was left as it is, and nothing of the file was taken in.',
    next: () => 'Go on with the one that is here. To have the file’s instead, delete that one first.',
  },
  fenced: {
    what: () => 'Another tab has taken this task over.',
    safe: () => `${SAVED} Only one tab ever works on a task, so nothing is done twice.`,
    next: () => 'Nothing to do. This tab shows what the other one does.',
  },
  task_missing: {
    what: () => 'This task no longer exists: it was deleted, or its data was cleared.',
    safe: () => 'Files and reports in your folder are untouched.',
    next: () => 'Go back to the list of tasks, or start it again on the same folder.',
  },
  checkpoint_missing: {
    what: () => 'This point of the task’s past is not known.',
    safe: () => 'The task itself and everything it finished are unchanged.',
    next: () => 'Choose a point from the list of checkpoints; it begins when this browser first kept them.',
  },
  nothing_to_report: {
    what: () => 'No file gave a result, so there is nothing to write a report from.',
    safe: () => 'Every file is listed with the reason why it gave none. No report was made up.',
    next: () => 'Look at the reasons in the list of files, mend them, then retry the failed files.',
  },
  report_failed: {
    what: () => 'A part of the report could not be made.',
    safe: () => 'The results of all files are saved and can be downloaded.',
    next: () => 'Retry what failed: only the missing part of the report is asked again.',
  },
  worker_stopped: {
    what: () => 'The background worker stopped.',
    safe: () => `${SAVED} Requests that were under way are asked again.`,
    next: () =>
      'It is started again by itself; what you pressed last may have to be pressed again. If it stops again and again, reload the page or close other heavy tabs.',
  },
  insecure_context: {
    what: (d) =>
      `The address ${detail(d, 'origin') ?? 'of this page'} is not a secure one, and browsers keep folders, storage and hashing from such pages.`,
    safe: () => 'Nothing was started.',
    next: () =>
      'Open Talaria from localhost or over https. To use one on another machine, bring its port to yours as below.',
    command: () => 'ssh -N -L 4173:localhost:4173 user@other-machine',
  },
  unexpected: {
    what: () => 'Something happened that Talaria did not expect.',
    safe: () => SAVED,
    next: () =>
      'Retry the failed files. If it happens again, please report it with the code and the details shown here.',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;
