import { isLanguage, type Language } from '../core/language';
import { loadFirst, loadScreens } from '../i18n/load-messages';
import type { FirstMessages, ScreenMessages } from '../i18n/messages';
import { chooseLanguage } from './choose-language';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

// Read by static/first-paint.js too.
const LANGUAGE_KEY = 'talaria.language';
const THEME_KEY = 'talaria.theme';

/** The texts that are shown, all of one language. */
interface Spoken {
  readonly language: Language;
  readonly first: FirstMessages;
  /** Null until a page wanted them. */
  readonly screens: ScreenMessages | null;
}

/** Language and theme: kept in this browser, the same in all its tabs, and shown on `<html>` at once. */
class Preferences {
  #spoken = $state.raw<Spoken | null>(null);
  #theme = $state<Theme>('system');
  #wanted: Language = 'en';
  #wantsScreens = false;
  #ready: Promise<void>;

  constructor() {
    this.#theme = asTheme(read(THEME_KEY));
    this.#showTheme();
    this.#ready = this.#speak(chooseLanguage(read(LANGUAGE_KEY), navigator.languages));
    // Whoever waits for it is told; until somebody does, it is no error of its own.
    this.#ready.catch(() => undefined);
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
    return this.#spoken?.language ?? this.#wanted;
  }

  /** Takes effect as soon as its texts are there; `ready` tells when. */
  set language(language: Language) {
    if (!isLanguage(language)) return;
    write(LANGUAGE_KEY, language);
    this.#ready = this.#speak(language);
  }

  get first(): FirstMessages {
    return there(this.#spoken).first;
  }

  get screens(): ScreenMessages {
    return there(this.#spoken?.screens);
  }

  /** Null until they have come, which the first question after them sees to. */
  get failures(): ScreenMessages['failures'] | null {
    if (!this.#spoken?.screens) this.loadScreens().catch(() => undefined);
    return this.#spoken?.screens?.failures ?? null;
  }

  /** Resolves when the texts of all pages are there, from then on in every language that is chosen. */
  async loadScreens(): Promise<void> {
    this.#wantsScreens = true;
    await this.#ready;
    const { language, screens } = there(this.#spoken);
    if (screens !== null) return;
    const loaded = await loadScreens(language);
    // A language that was chosen meanwhile brought its own.
    if (this.#spoken?.language === language) this.#spoken = { ...this.#spoken, screens: loaded };
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
      const [first, screens] = await Promise.all([
        loadFirst(language),
        this.#wantsScreens ? loadScreens(language) : null,
      ]);
      if (this.#wanted === language) this.#spoken = { language, first, screens };
    } catch (error) {
      // Its texts could not be loaded: those that are there stay, and with them the language the page claims to be in.
      if (this.#spoken === null && language === 'en') throw error;
      if (this.#spoken === null) return this.#speak('en');
    }
    document.documentElement.lang = this.language;
  }

  #showTheme(): void {
    const { dataset } = document.documentElement;
    if (this.#theme === 'system') delete dataset.theme;
    else dataset.theme = this.#theme;
  }
}

export const preferences = new Preferences();

/** Texts of the first page and of the frame, in the language chosen now. Reactive: call it where the text is shown. */
export function t(): FirstMessages {
  return preferences.first;
}

/** Texts of all other pages. They are there before such a page is; the first page must do without. */
export function screens(): ScreenMessages {
  return preferences.screens;
}

/** What failures say, which may be shown on any page; null for the moment until the first of them has its words. */
export function failureTexts(): ScreenMessages['failures'] | null {
  return preferences.failures;
}

function there<T>(texts: T | null | undefined): T {
  if (texts === null || texts === undefined) throw new Error('these texts are not loaded here');
  return texts;
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
