import type { en } from '../en';
import { endpoints } from './endpoints';
import { failures } from './failures';
import { help } from './help';
import { home } from './home';
import { newTask } from './new-task';
import { settings } from './settings';
import { shell } from './shell';
import { storage } from './storage';
import { task } from './task';

export const zhCN: typeof en = { endpoints, failures, help, home, newTask, settings, shell, storage, task };
