import type { Language } from '../core/language';
import { en } from './en';
import { zhCN } from './zh-CN';

/** Every text of the interface. English is the shape; a missing key in another language is a type error. */
export type Messages = typeof en;

const BY_LANGUAGE: Readonly<Record<Language, Messages>> = { en, 'zh-CN': zhCN };

export function messagesFor(language: Language): Messages {
  return BY_LANGUAGE[language];
}
