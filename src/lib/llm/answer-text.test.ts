import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_THINKING_CHARACTERS } from '../core/model';
import { AnswerText } from './answer-text';

/** What an answer in pieces comes to. */
function read(pieces: readonly string[], way: 'native' | 'hermes' | null = null, finish: 'stop' | 'length' = 'stop') {
  const answer = new AnswerText(way);
  for (const piece of pieces) answer.push(piece);
  return answer.end(finish);
}

const THINKING: readonly (readonly [string, string, string, string | null])[] = [
  ['none', 'Four.', 'Four.', null],
  ['a block', '<think>2 + 2 is 4</think>Four.', 'Four.', '2 + 2 is 4'],
  ['a block under its other name', '<thinking>\n2 + 2\n</thinking>\n\nFour.', 'Four.', '2 + 2'],
  ['two blocks', '<think>one</think>Four<think>two</think>.', 'Four.', 'one\n\ntwo'],
  ['a block that the prompt opened', '2 + 2 is 4\n</think>\n\nFour.', 'Four.', '2 + 2 is 4'],
  ['an empty block', '<think>\n\n</think>\n\nFour.', 'Four.', null],
  ['a mention that never closes', 'Write <think> first.', 'Write <think> first.', null],
];

describe.each([null, 'hermes'] as const)('what was thought, with calls expected %s', (way) => {
  it.each(THINKING)('%s', (_, written, text, thinking) => {
    for (const pieces of [[written], [...written]]) {
      expect(read(pieces, way)).toEqual({ text, thinking, calls: null });
    }
  });

  it('is the same however the answer is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...THINKING),
        fc.array(fc.nat(40), { maxLength: 8 }),
        ([, written, text, thinking], cuts) => {
          const at = [0, ...cuts.map((cut) => Math.min(cut, written.length)).sort((a, b) => a - b), written.length];
          const pieces = at.slice(1).map((end, index) => written.slice(at[index], end));
          expect(read(pieces, way)).toEqual({ text, thinking, calls: null });
        },
      ),
    );
  });

  it('is kept of an answer that was cut in the middle of it', () => {
    expect(read(['<think>2 + 2 is'], way, 'length')).toEqual({ text: '', thinking: '2 + 2 is', calls: null });
  });
});

describe('thinking', () => {
  it('comes from a field of its own too, and is kept up to a limit', () => {
    const answer = new AnswerText(null);
    answer.pushReasoning('let me');
    answer.pushReasoning(' see');
    answer.push('Four.');
    expect(answer.end('stop')).toEqual({ text: 'Four.', thinking: 'let me see', calls: null });
    const long = new AnswerText(null);
    for (let n = 0; n < 100; n += 1) long.pushReasoning('x'.repeat(1_000));
    expect(long.end('stop').thinking).toHaveLength(MAX_THINKING_CHARACTERS);
  });
});

describe('calls', () => {
  const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>';

  it('are text where none are expected', () => {
    expect(read([CALL])).toEqual({ text: CALL, thinking: null, calls: null });
    expect(read([CALL], 'native')).toEqual({ text: CALL, thinking: null, calls: null });
  });

  it('are read out of the text of a server that knows no tools, thinking left aside', () => {
    expect(read([`<think>I could ${CALL}</think>Let me look.\n\n${CALL}`], 'hermes')).toMatchObject({
      text: 'Let me look.',
      calls: { drafts: [{ read: 'whole', name: 'read_file', arguments: { path: 'a' } }], passedOver: 1 },
    });
  });

  it('that were only spoken of are told apart from none', () => {
    expect(read([`Write \`${CALL}\` to read.`], 'hermes').calls).toEqual({ drafts: [], passedOver: 1 });
  });

  it('come in fields of a server that knows tools', () => {
    const answer = new AnswerText('native');
    answer.push('Let me look.');
    answer.pushCalls([{ index: 0, id: 'x', function: { name: 'read_file', arguments: '{"pa' } }]);
    answer.pushCalls([{ index: 0, function: { arguments: 'th":"a"}' } }]);
    expect(answer.end('tool_calls')).toMatchObject({
      text: 'Let me look.',
      calls: { drafts: [{ read: 'whole', name: 'read_file', arguments: { path: 'a' } }], passedOver: 0 },
    });
  });
});
