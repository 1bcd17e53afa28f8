import type { newTask as shape } from '../en/new-task';

export const newTask: typeof shape = {};
