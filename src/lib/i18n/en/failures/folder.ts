import type { FailureCode } from '../../../core/failure-codes';
import { bytesDetail, detail, type FailureText } from '../../failure-text';

const OTHERS = 'All other files go on. This one is listed with its reason.';
const NOT_SENT = `${OTHERS} Nothing of it was sent to the model.`;
/** A finished task has the one button, any other the other. */
const LOOK = 'press Look for changes (or Continue)';
const PAUSED = 'Everything finished so far is saved. The task waits, and no file fails because of it.';

/** Files, and the folder they are in. */
export const folderFailures = {
  file_empty: {
    what: () => 'The file is empty, or holds only blanks.',
    safe: () => NOT_SENT,
    next: () => `Nothing to do. If you fill the file, ${LOOK} and it is read.`,
  },
  file_binary: {
    what: () => 'The file is named like text but holds something else.',
    safe: () => NOT_SENT,
    next: () => `Nothing to do. If you replace it by a text version, ${LOOK} and that is read.`,
  },
  file_kind_unsupported: {
    what: (d) => `Files of this kind${kind(detail(d, 'kind'))} cannot be read yet.`,
    safe: () => NOT_SENT,
    next: () => `Save it as text, Markdown, HTML or CSV in the same folder, then ${LOOK}.`,
  },
  file_too_large: {
    what: (d) => {
      const size = bytesDetail(d, 'sizeBytes');
      const limit = bytesDetail(d, 'limitBytes');
      return `The file is too large to be read${size === null ? '' : `: ${size}`}${limit === null ? '' : ` (the limit is ${limit})`}.`;
    },
    safe: () => NOT_SENT,
    next: () => `Split it into smaller files, then ${LOOK}.`,
  },
  file_gone: {
    what: () => 'The file is no longer in the folder.',
    safe: () => 'All other files go on. This one is listed as gone.',
    next: () => `Nothing to do. If you put it back, ${LOOK} and it is read.`,
  },
  file_encoding_unknown: {
    what: () => 'It could not be told in which encoding the text is stored.',
    safe: () => `${NOT_SENT} A wrong guess would have invented words.`,
    next: () => `Save the file as UTF-8, then ${LOOK}.`,
  },
  file_unreadable: {
    what: () => 'The file could not be read from the disk.',
    safe: () => OTHERS,
    next: () => 'Close programs that have it open, check that you may read it, then retry the failed files.',
  },
  file_changing: {
    what: () => 'The file changed while it was read.',
    safe: () => `${OTHERS} No result was made from half of it.`,
    next: () =>
      'It is read again in a moment. If a program writes to it all the time, retry the failed files when that has ended.',
  },
  folder_permission: {
    what: (d) => `The browser wants your permission to read ${folder(detail(d, 'folder'))} again.`,
    safe: () => PAUSED,
    next: () => 'Press Continue and allow it. Choose "Allow on every visit" and you will not be asked again.',
  },
  folder_missing: {
    what: (d) => `${capital(folder(detail(d, 'folder')))} was not found: it was moved, renamed or deleted.`,
    safe: () => `${PAUSED} Results do not depend on where the folder is.`,
    next: () =>
      'Pick the folder at its new place. Files are recognised by their content; finished ones are not asked again.',
  },
  folder_not_given: {
    what: (d) => `Talaria has not been given ${folder(detail(d, 'folder'))} in this browser.`,
    safe: () => 'What was done is here and stays. The task waits, and nothing is sent meanwhile.',
    next: () =>
      'Pick the folder where it is on this computer. Files are recognised by their content; finished ones are not asked again.',
  },
  file_timeout: {
    what: () => 'The file could not be read in time: the disk or the network drive did not give it.',
    safe: () => OTHERS,
    next: () => 'It is tried again. If it stays so, copy the file to this computer, then retry the failed files.',
  },
  folder_timeout: {
    what: (d) => `${capital(folder(detail(d, 'folder')))} does not answer: its drive or its network may be gone.`,
    safe: () => PAUSED,
    next: () => 'Connect the drive or the network again. The task goes on by itself as soon as the folder answers.',
  },
  folder_empty: {
    what: () => 'There is no file in the folder that this task would read.',
    safe: () => 'Nothing was sent and nothing was changed. The task is paused.',
    next: () => 'Check the folder and the patterns of included and excluded files, then press Continue.',
  },
  folder_write_failed: {
    what: () => 'The report could not be written into the folder.',
    safe: () => 'The report and every result are saved in the browser and can be read and downloaded here.',
    next: () =>
      'Check free space and write permission of the folder, and that nothing else in it is called talaria or report.md, then press "Write again".',
  },
  path_refused: {
    what: (d) => `${detail(d, 'path') ?? 'This path'} leads out of the folder that Talaria may write to.`,
    safe: () => 'Nothing was written there. Talaria writes only below talaria/ in the folder you picked.',
    next: () => 'Rename the file so that its path has no "..", no drive letter and no control characters.',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

function kind(extension: string | null): string {
  return extension === null ? '' : ` (.${extension})`;
}

function folder(name: string | null): string {
  return name === null ? 'the folder' : `the folder "${name}"`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
