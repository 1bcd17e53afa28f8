import type { storage as shape } from '../en/storage';

export const storage: typeof shape = {};
