import type { Language } from '../core/language';
import { en } from './en';
import type { Messages } from './messages';

/** Shown until another language has arrived. */
export const FIRST_MESSAGES: Messages = en;

/** English comes with the app's first bytes, every other language when it is asked for. */
export async function loadMessages(language: Language): Promise<Messages> {
  switch (language) {
    case 'en':
      return en;
    case 'zh-CN':
      return (await import('./zh-CN')).zhCN;
  }
}
