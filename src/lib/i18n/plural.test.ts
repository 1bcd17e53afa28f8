import { expect, it } from 'vitest';
import { messagesFor } from './messages';

const MANY_OF_ONE =
  /(?<![\d.,–] ?)\b1 (other )?(files|tokens|requests|answers|steps|groups|tasks|places|kinds|characters|facts|models|results|hours|days|times|tries|parts)\b/;

/** Everything that a message says when all that it counts is one, whatever its order of numbers and words. */
function saidOfOne(message: (...given: unknown[]) => unknown): readonly string[] {
  const orders = Array.from({ length: 2 ** message.length }, (_, order) =>
    Array.from({ length: message.length }, (__, place) => ((order >> place) & 1 ? 1 : '1')),
  );
  return orders.flatMap((given) => {
    try {
      const said = message(...given);
      return typeof said === 'string' ? [said] : [];
    } catch {
      // A list or details were wanted: no count.
      return [];
    }
  });
}

function messagesIn(value: unknown, path: string): readonly (readonly [string, (...given: unknown[]) => unknown])[] {
  if (typeof value === 'function') return [[path, value as (...given: unknown[]) => unknown]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => messagesIn(inner, `${path}.${name}`));
}

const messages = messagesIn(messagesFor('en'), 'en');

it('finds the messages', () => {
  expect(messages.length).toBeGreaterThan(100);
  expect(saidOfOne((count, shown) => `${String(shown)} ${count === 1 ? 'file' : 'files'}`)).toContain('1 file');
});

it.each(messages)('%s counts one as one', (_path, message) => {
  const said = saidOfOne(message);
  expect(said.length > 0 && said.every((sentence) => MANY_OF_ONE.test(sentence)) ? said : []).toEqual([]);
});
