import { expect, it } from 'vitest';
import type { ModelRequest } from './model';
import { requestTokens } from './request-tokens';
import { toolCallId } from './tool';

const length = (text: string) => text.length;
const messages: ModelRequest['messages'] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Read a.' },
];
const plain = requestTokens({ messages }, length);

it('counts the messages', () => {
  expect(plain).toBe('Be brief.'.length + 'Read a.'.length);
});

it('counts the schema as it is told in words', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  expect(requestTokens({ messages, schema }, length)).toBe(plain + JSON.stringify(schema).length);
});

it('counts tools with what is said of calling them, and nothing where there are none', () => {
  const tool = { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object' } };
  const one = requestTokens({ messages, tools: [tool] }, length);
  expect(one).toBeGreaterThan(plain + JSON.stringify(tool).length);
  expect(requestTokens({ messages, tools: [tool, tool] }, length)).toBe(one + JSON.stringify(tool).length);
  expect(requestTokens({ messages, tools: [], turns: [] }, length)).toBe(plain);
});

it('counts what was called, run or refused, and what came of it', () => {
  const id = toolCallId('call_1');
  const turn = (content: string) => ({
    text: 'I look.',
    calls: [
      { runs: true, call: { id, name: 'read_file', arguments: {}, raw: '<run>' } },
      { runs: false, refused: { id, refusal: 'cut', name: null, arguments: null, raw: '<cut>' } },
    ] as const,
    outcomes: [{ callId: id, name: 'read_file', isError: false, content }],
  });
  const turns = [turn('x'.repeat(5_000)), turn('')];
  expect(requestTokens({ messages, turns }, length)).toBe(plain + 5_000 + 2 * 'I look.<run><cut>'.length);
});
