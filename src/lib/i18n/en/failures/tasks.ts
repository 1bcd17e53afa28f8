import type { FailureCode } from '../../../core/failure-codes';
import { detail, type FailureText } from '../../failure-text';
import { answerFailures } from './answers';
import { endpointFailures } from './endpoint';
import { folderFailures } from './folder';
import { storageFailures } from './storage';

const ASIDE = 'Everything finished so far is saved, and the other files go on without this one.';

/** What is wrong with one file's work, or with too many. */
export const taskFailures = {
  crashes_app: {
    what: (d) =>
      `The app ended ${times(detail(d, 'times'))} in a row while it worked on this file, so the file was set aside.`,
    safe: () => ASIDE,
    next: () =>
      'Look whether the file is damaged or very unusual; splitting it may help. Retry the failed files to try it again; a changed file is tried again anyway.',
  },
  crashes_server: {
    what: (d) =>
      `The model server stopped answering ${times(detail(d, 'times'))} in a row while it worked on this file, so the file was set aside.`,
    safe: () => ASIDE,
    next: () =>
      'The log of the server says why it stopped: often it ran out of memory. Mend it there or split the file, then retry the failed files.',
  },
  deadline_reached: {
    what: (d) => {
      const hours = detail(d, 'hours');
      const spent = hours === null ? '' : hours === '1' ? ' of 1 hour' : ` of ${hours} hours`;
      return `The task has worked for as long as it may: its deadline${spent} is reached.`;
    },
    safe: () => 'Everything finished so far is saved, and no file failed because of it.',
    next: () => 'Press Continue to go on for as long again.',
  },
  too_many_failures: {
    what: (d) => {
      const why = causeOf(detail(d, 'cause'));
      const [failed, tried] = [detail(d, 'failed'), detail(d, 'tried')];
      if (failed === null || tried === null)
        return `Too many files failed, so the work was stopped before the rest.${why}`;
      return `${failed} of the ${tried} files tried so far failed, so the work was stopped before the rest.${why}`;
    },
    safe: () => 'Everything finished so far is saved, and no file is lost: the failed ones can be tried again.',
    next: () =>
      'Open a failed file to see why. When the cause is mended, retry the failed files; press Continue to go on all the same.',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

const CAUSES: Readonly<Record<string, FailureText>> = {
  ...endpointFailures,
  ...answerFailures,
  ...folderFailures,
  ...storageFailures,
};

function causeOf(code: string | null): string {
  const cause = code !== null && Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined;
  return cause ? ` Most often: ${cause.what({})}` : '';
}

function times(count: string | null): string {
  return count === null || count === '3' ? 'three times' : `${count} times`;
}
