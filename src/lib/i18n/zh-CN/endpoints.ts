import type { endpoints as shape } from '../en/endpoints';

export const endpoints: typeof shape = {};
