import { formatsFor, type Formats } from '../i18n/format';
import { preferences } from './preferences.svelte';

/** Numbers and times in the language chosen now. Reactive, like `t()`. */
export function f(): Formats {
  return formatsFor(preferences.language);
}
