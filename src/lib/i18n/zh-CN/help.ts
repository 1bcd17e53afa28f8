import type { help as shape } from '../en/help';

export const help: typeof shape = {};
