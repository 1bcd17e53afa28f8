export const failures = {};
