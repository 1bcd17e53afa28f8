import { isLanguage, type Language } from '../core/language';

/** The language chosen before, else the first the browser names that we have; any Chinese is met with ours. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): Language {
  if (isLanguage(kept)) return kept;
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'zh') return 'zh-CN';
    if (base === 'en') return 'en';
  }
  return 'en';
}
