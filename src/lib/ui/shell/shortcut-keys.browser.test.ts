import { expect, test } from 'vitest';
import { shortcutOf } from './shortcut-keys';

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...more });

test('single keys mean something on the page', () => {
  expect(shortcutOf(press('n'), document.body)).toBe('new');
  expect(shortcutOf(press('/'), document.body)).toBe('search');
  expect(shortcutOf(press('?', { shiftKey: true }), document.body)).toBe('help');
  expect(shortcutOf(press('x'), document.body)).toBeNull();
});

test('in a field they are text, but the palette opens from everywhere', () => {
  const fields = [
    document.createElement('textarea'),
    document.createElement('select'),
    document.createElement('input'),
    Object.assign(document.createElement('input'), { type: 'search' }),
  ];
  for (const field of fields) {
    expect(shortcutOf(press('n'), field)).toBeNull();
    expect(shortcutOf(press('?'), field)).toBeNull();
    expect(shortcutOf(press('k', { ctrlKey: true }), field)).toBe('palette');
    expect(shortcutOf(press('K', { metaKey: true }), field)).toBe('palette');
  }
  const box = Object.assign(document.createElement('input'), { type: 'checkbox' });
  expect(shortcutOf(press('n'), box)).toBe('new');
});

test("the browser's own shortcuts and text being composed are left alone", () => {
  expect(shortcutOf(press('n', { ctrlKey: true }), document.body)).toBeNull();
  expect(shortcutOf(press('n', { metaKey: true }), document.body)).toBeNull();
  expect(shortcutOf(press('n', { altKey: true }), document.body)).toBeNull();
  expect(shortcutOf(press('n', { isComposing: true }), document.body)).toBeNull();
});

test('an open dialog keeps its keys', () => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  const button = document.createElement('button');
  dialog.append(button);
  expect(shortcutOf(press('n'), button)).toBeNull();
});
