import { isLanguage, type Language } from '../core/language';
import { messagesFor, type Messages } from '../i18n/messages';
import { chooseLanguage } from './choose-language';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

// Read by static/first-paint.js too.
const LANGUAGE_KEY = 'talaria.language';
const THEME_KEY = 'talaria.theme';

/** Language and theme: kept in this browser, the same in all its tabs, and shown on `<html>` at once. */
class Preferences {
  #language = $state<Language>('en');
  #theme = $state<Theme>('system');

  constructor() {
    this.#language = chooseLanguage(read(LANGUAGE_KEY), navigator.languages);
    this.#theme = asTheme(read(THEME_KEY));
    this.#show();
    addEventListener('storage', (event) => {
      if (event.key === LANGUAGE_KEY) this.#language = chooseLanguage(event.newValue, navigator.languages);
      else if (event.key === THEME_KEY) this.#theme = asTheme(event.newValue);
      else return;
      this.#show();
    });
  }

  get language(): Language {
    return this.#language;
  }

  set language(language: Language) {
    if (!isLanguage(language)) return;
    this.#language = language;
    write(LANGUAGE_KEY, language);
    this.#show();
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    write(THEME_KEY, theme);
    this.#show();
  }

  #show(): void {
    const root = document.documentElement;
    root.lang = this.#language;
    if (this.#theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.#theme;
  }
}

export const preferences = new Preferences();

/** The texts in the language chosen now. Reactive: call it where the text is shown. */
export function t(): Messages {
  return messagesFor(preferences.language);
}

function asTheme(value: string | null): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}

// Storage may be forbidden altogether: a choice then lasts as long as the page.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}
