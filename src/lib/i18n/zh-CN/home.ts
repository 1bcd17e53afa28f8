import type { home as shape } from '../en/home';

export const home: typeof shape = {};
