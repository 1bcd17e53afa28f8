import type { failures as shape } from '../en/failures';

export const failures: typeof shape = {};
