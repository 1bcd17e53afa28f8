import { check } from './check';
import { checkpoints } from './checkpoints';
import type { screens as shape } from '../en/screens';
import { endpointSettings } from './endpoint-settings';
import { doctor } from './doctor';
import { endpoints } from './endpoints';
import { failures } from './failures';
import { help } from './help';
import { mendEndpoint } from './mend-endpoint';
import { newTask } from './new-task';
import { settings } from './settings';
import { storage } from './storage';
import { task } from './task';

export const screens: typeof shape = {
  check,
  checkpoints,
  doctor,
  endpoints,
  endpointSettings,
  failures,
  help,
  mendEndpoint,
  newTask,
  settings,
  storage,
  task,
};
