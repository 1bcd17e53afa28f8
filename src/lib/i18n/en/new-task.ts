export const newTask = {};
