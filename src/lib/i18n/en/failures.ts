import type { FailureCode } from '../../core/failure-codes';
import type { FailureText } from '../failure-text';
import { answerFailures } from './failures/answers';
import { effectFailures } from './failures/effects';
import { endpointFailures } from './failures/endpoint';
import { folderFailures } from './failures/folder';
import { storageFailures } from './failures/storage';
import { taskFailures } from './failures/tasks';

export const failures: Readonly<Record<FailureCode, FailureText>> = {
  ...endpointFailures,
  ...answerFailures,
  ...folderFailures,
  ...storageFailures,
  ...effectFailures,
  ...taskFailures,
};
