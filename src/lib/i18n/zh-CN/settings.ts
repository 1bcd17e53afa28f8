import type { settings as shape } from '../en/settings';

export const settings: typeof shape = {};
