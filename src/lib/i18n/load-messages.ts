import type { Language } from '../core/language';
import type { FirstMessages, ScreenMessages } from './messages';

export async function loadFirst(language: Language): Promise<FirstMessages> {
  switch (language) {
    case 'en':
      return (await import('./en/first')).first;
    case 'zh-CN':
      return (await import('./zh-CN/first')).first;
  }
}

export async function loadScreens(language: Language): Promise<ScreenMessages> {
  switch (language) {
    case 'en':
      return (await import('./en/screens')).screens;
    case 'zh-CN':
      return (await import('./zh-CN/screens')).screens;
  }
}
