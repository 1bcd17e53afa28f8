import type { task as shape } from '../en/task';

export const task: typeof shape = {};
