import type { Language } from '../core/language';
import { first as enFirst } from './en/first';
import { screens as enScreens } from './en/screens';
import { first as zhFirst } from './zh-CN/first';
import { screens as zhScreens } from './zh-CN/screens';

/** Texts that are there before anything is shown. English is the shape; a missing key in another language is a type error. */
export type FirstMessages = typeof enFirst;
/** Texts that come with the pages that say them. */
export type ScreenMessages = typeof enScreens;
export type Messages = FirstMessages & ScreenMessages;

const BY_LANGUAGE: Readonly<Record<Language, Messages>> = {
  en: { ...enFirst, ...enScreens },
  'zh-CN': { ...zhFirst, ...zhScreens },
};

/** All texts at once, which pages never want. */
export function messagesFor(language: Language): Messages {
  return BY_LANGUAGE[language];
}
