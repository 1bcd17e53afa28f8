export type Shortcut = 'new' | 'search' | 'help' | 'palette';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented'>;

/** The shortcut that a key press means, or null: keys typed into a field, or by an input method, are text. */
export function shortcutOf(pressed: Pressed, target: EventTarget | null): Shortcut | null {
  if (pressed.defaultPrevented || pressed.isComposing || pressed.altKey) return null;
  if ((pressed.ctrlKey || pressed.metaKey) && pressed.key.toLowerCase() === 'k') return 'palette';
  if (pressed.ctrlKey || pressed.metaKey || takesText(target) || inDialog(target)) return null;
  switch (pressed.key) {
    case 'n':
      return 'new';
    case '/':
      return 'search';
    case '?':
      return 'help';
    default:
      return null;
  }
}

const TEXTLESS = new Set(['button', 'checkbox', 'radio', 'range', 'submit', 'reset', 'file', 'color']);

function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !TEXTLESS.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

function inDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null;
}
