import type { shell as shape } from '../en/shell';

export const shell: typeof shape = {};
