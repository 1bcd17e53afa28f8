/** Reads what may or may not be there in a value that came from outside. */

/** @param {unknown} value @param {string} name @returns {unknown} */
export function field(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** @param {unknown} value @param {string} name @returns {number} */
export function number(value, name) {
  const found = field(value, name);
  return typeof found === 'number' ? found : 0;
}

/** @param {unknown} value @param {string} name @returns {string} */
export function text(value, name) {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

/** @param {unknown} value @param {string} name @returns {readonly unknown[]} */
export function list(value, name) {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}
