import { isLanguage, type Language } from '../core/language';
import { FIRST_MESSAGES, loadMessages } from '../i18n/load-messages';
import type { Messages } from '../i18n/messages';
import { chooseLanguage } from './choose-language';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

// Read by static/first-paint.js too.
const LANGUAGE_KEY = 'talaria.language';
const THEME_KEY = 'talaria.theme';

/** Language and theme: kept in this browser, the same in all its tabs, and shown on `<html>` at once. */
class Preferences {
  #language = $state<Language>('en');
  #messages = $state.raw<Messages>(FIRST_MESSAGES);
  #theme = $state<Theme>('system');
  #wanted: Language = 'en';
  #ready: Promise<void>;

  constructor() {
    this.#theme = asTheme(read(THEME_KEY));
    this.#showTheme();
    this.#ready = this.#speak(chooseLanguage(read(LANGUAGE_KEY), navigator.languages));
    addEventListener('storage', (event) => {
      if (event.key === LANGUAGE_KEY) {
        this.#ready = this.#speak(chooseLanguage(event.newValue, navigator.languages));
      } else if (event.key === THEME_KEY) {
        this.#theme = asTheme(event.newValue);
        this.#showTheme();
      }
    });
  }

  /** Resolves when the texts of the language chosen last are there; the first page waits for it. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  get language(): Language {
    return this.#language;
  }

  /** Takes effect as soon as its texts are there; `ready` tells when. */
  set language(language: Language) {
    if (!isLanguage(language)) return;
    write(LANGUAGE_KEY, language);
    this.#ready = this.#speak(language);
  }

  get messages(): Messages {
    return this.#messages;
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    write(THEME_KEY, theme);
    this.#showTheme();
  }

  async #speak(language: Language): Promise<void> {
    this.#wanted = language;
    try {
      const messages = await loadMessages(language);
      if (this.#wanted !== language) return;
      this.#messages = messages;
      this.#language = language;
      document.documentElement.lang = language;
    } catch {
      // Its texts could not be loaded: those that are there stay, and with them the language the page claims to be in.
      document.documentElement.lang = this.#language;
    }
  }

  #showTheme(): void {
    const { dataset } = document.documentElement;
    if (this.#theme === 'system') delete dataset.theme;
    else dataset.theme = this.#theme;
  }
}

export const preferences = new Preferences();

/** The texts in the language chosen now. Reactive: call it where the text is shown. */
export function t(): Messages {
  return preferences.messages;
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
