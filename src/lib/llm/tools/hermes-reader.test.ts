import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../../core/model';
import type { JsonObject } from '../../core/json-value';
import { HermesReader } from './hermes-reader';
import { HERMES_STOPS } from './hermes-tags';
import { printCall } from './history';

const CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>';
const READ_A = ['whole', 'read', { path: 'a' }] as const;

function readIn(pieces: readonly string[], finish: FinishReason | null = 'stop') {
  const reader = new HermesReader();
  const shown = pieces.map((piece) => {
    reader.push(piece);
    return reader.text;
  });
  const { text, drafts, passedOver, inventedResponse } = reader.end(finish);
  const calls = drafts.map((draft) =>
    draft.read === 'whole' ? [draft.read, draft.name, draft.arguments] : [draft.read, draft.name],
  );
  return { text, calls, passedOver, inventedResponse, shown };
}

function read(text: string, finish: FinishReason | null = 'stop') {
  const { shown: _, ...answer } = readIn([text], finish);
  return answer;
}

describe('calls', () => {
  it.each<[string, string, string, unknown[]]>([
    ['text around', `Before.\n${CALL}\nAfter.`, 'Before.\n\nAfter.', [READ_A]],
    ['two objects in one tag', twoIn('\n'), '', [READ_A, ['whole', 'done', {}]]],
    ['two objects with a comma', twoIn(', '), '', [READ_A, ['whole', 'done', {}]]],
    ['a list', '<tool_call>[{"name": "a"}, {"name": "b"}]</tool_call>', '', [bare('a'), bare('b')]],
    ['a fence within the tag', '<tool_call>\n```json\n{"name": "a"}\n```\n</tool_call>', '', [bare('a')]],
    ['tags twice', `<tool_call>\n${CALL}\n</tool_call>\nBye`, 'Bye', [READ_A]],
    ['capitals', '<TOOL_CALL>{"name": "a"}</Tool_Call>', '', [bare('a')]],
    [
      'the wrapper of requests',
      callOf({ type: 'function', function: { name: 'a', arguments: '{"b": 1}' } }),
      '',
      [one()],
    ],
    ['a wrapper', callOf({ tool_call: { name: 'a', arguments: { b: 1 } } }), '', [one()]],
    ['parameters', callOf({ name: 'a', parameters: { b: 1 } }), '', [one()]],
    [
      'arguments encoded twice',
      callOf({ name: 'a', arguments: JSON.stringify(JSON.stringify({ b: 1 })) }),
      '',
      [one()],
    ],
    ['empty arguments', callOf({ name: 'a', arguments: '' }), '', [bare('a')]],
    ['a closing tag inside a text', callOf({ name: 'a', arguments: { b: 'x </tool_call> y' } }), '', [closing()]],
    ['thinking inside a text', callOf({ name: 'a', arguments: { b: '<think>x</think>' } }), '', [thinking()]],
    ['the closing tag left out by a stop', '<tool_call>{"name": "a"}', '', [bare('a')]],
    ['half the closing tag', '<tool_call>{"name": "a"}\n</tool_', '', [bare('a')]],
    ['the last brace missing', '<tool_call>{"name": "a", "arguments": {"b": 1}\n</tool_call>', '', [one()]],
    ['no closing tag before the next call', `<tool_call>{"name": "a"}\n${CALL}`, '', [bare('a'), READ_A]],
    ['text that is no tag', `a < b <tool <tool_x> ${CALL}`, 'a < b <tool <tool_x>', [READ_A]],
    ['a mention before', `Write <tool_call> like so.\n${CALL}`, 'Write <tool_call> like so.', [READ_A]],
    ['words between tags', 'between <tool_call> and </tool_call>', 'between <tool_call> and </tool_call>', []],
    ['a mention that never closes', 'It is the <tool_call> tag', 'It is the <tool_call> tag', []],
    ['a quotation that has closed', `"a.txt" and “b”:\n${CALL}`, '"a.txt" and “b”:', [READ_A]],
    ['code that has closed', `\`x\` and\n\`\`\`\ny\n\`\`\`\n${CALL}`, '`x` and\n```\ny\n```', [READ_A]],
    ['thinking before', `<think>hm</think>\n${CALL}`, '', [READ_A]],
    ['thinking opened in the prompt', `hm\n</think>\n\n${CALL}`, '', [READ_A]],
    ['thinking opened in the prompt, with a fence open', `\`\`\`\nhm\n</think>\n\nSo.\n${CALL}`, 'So.', [READ_A]],
    ['thinking opened in the prompt, with code open', `see \`x\n</think>\n${CALL}`, '', [READ_A]],
    ['a closing tag in code', `${CALL}\nIt ends in \`</think>\`.`, 'It ends in `</think>`.', [READ_A]],
    ['a block in a fence', '```\n<think>\nhm\n</think>\n```\nSo.', '```\n<think>\nhm\n</think>\n```\nSo.', []],
  ])('reads %s', (_, written, text, calls) => {
    expect(read(written)).toMatchObject({ text, calls });
  });

  it.each<[string, string, string]>([
    ['a text', '<tool_call>\n{"name": "write", "arguments": {"content": "half', 'cut'],
    [
      'a text, with the tag after it',
      '<tool_call>{"name": "write", "arguments": {"content": "half}}</tool_call>',
      'cut',
    ],
    ['two braces missing', '<tool_call>{"name": "write", "arguments": {"n": "x"</tool_call>', 'cut'],
    ['arguments that are still to come', '<tool_call>{"name": "write"</tool_call>', 'cut'],
    ['brace and tag missing', '<tool_call>{"name": "write", "arguments": {}', 'cut'],
    [
      'an argument beside the arguments',
      '<tool_call>{"name": "write", "arguments": {"a": 1}}, "b": 2}</tool_call>',
      'unreadable',
    ],
    ['a brace too many', '<tool_call>{"name": "write", "arguments": {}}}</tool_call>', 'unreadable'],
    ['arguments that are a list', '<tool_call>{"name": "write", "arguments": [1]}</tool_call>', 'unreadable'],
    ['another form', '<tool_call>write(path="a")</tool_call>', 'unreadable'],
    ['elements', "<tool_call>\n<function=write>it's</function>\n</tool_call>", 'unreadable'],
    ['nothing', '<tool_call>\n</tool_call>', 'unreadable'],
    ['the opening tag alone', '<tool_call>\n', 'cut'],
    ['half the opening tag', 'x <tool_cal', 'cut'],
    ['no name', '<tool_call>{"arguments": {}}</tool_call>', 'nameless'],
    ['a set', "<tool_call>{'name': 'write', 'arguments': {'a', 'b'}}</tool_call>", 'unreadable'],
  ])('never runs %s', (_, written, refusal) => {
    const { calls, text } = read(written);
    expect(calls.map((call) => call[0])).toEqual([refusal]);
    expect(text).not.toMatch(/[<{]/);
  });

  it.each<FinishReason | null>(['length', 'content_filter', null])(
    'runs nothing of an answer that ended in %s',
    (finish) => {
      expect(read(`${CALL}\n<tool_call>{"name": "b"`, finish).calls).toEqual([
        ['cut', 'read'],
        ['cut', 'b'],
      ]);
      expect(read('Text <tool_ca', finish)).toMatchObject({ text: 'Text', calls: [['cut', null]] });
    },
  );
});

describe('after a call that cannot be read', () => {
  const inner = `<tool_call>{'name': 'delete', 'arguments': {}}</tool_call>`;
  const writing = (content: string) =>
    `<tool_call>{"name": "write", "arguments": {"content": "${content}"}}</tool_call>\n`;

  it.each([`say "hi ${inner} and ${inner} "`, `say "hi" ${inner}\n${inner}`])('nothing is run: %s', (content) => {
    const { calls } = read(writing(content) + CALL);
    expect(calls[0]).toEqual(['unreadable', 'write']);
    expect(calls.slice(1).every(([state]) => state === 'after_broken')).toBe(true);
  });

  it('no example is run, wherever quotes are forgotten', () => {
    const content = fc.array(fc.constantFrom('"', "'", inner, 'x ', '\n')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(content, content, (once, twice) => {
        const { calls } = read(writing(once) + writing(twice));
        expect(calls.filter(([state, tool]) => state === 'whole' && tool !== 'write')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('says that it was not looked at', () => {
    expect(read(`<tool_call>{x}</tool_call>\n${CALL}`).calls).toEqual([
      ['unreadable', null],
      ['after_broken', 'read'],
    ]);
  });

  it('runs what stood before', () => {
    expect(read(`${CALL}\n<tool_call>{x}</tool_call>`).calls).toEqual([READ_A, ['unreadable', null]]);
  });
});

describe('examples', () => {
  it.each([
    ['thinking', `<think>\n${CALL}\n</think>Done.`, 'Done.'],
    ['thinking that never ends', `Done. <think>${CALL}`, null],
    ['thinking opened in the prompt, with a fence open', `\`\`\`\n${CALL}\n</think>\n\nDone.`, 'Done.'],
    ['thinking opened in the prompt, before a fence', `${CALL}\n\`\`\`\nx\n</think>\nDone.`, 'Done.'],
    ['thinking opened in the prompt', `I might:\n${CALL}\n</think>\n\nDone.`, 'Done.'],
    ['a fence', `So:\n\`\`\`xml\n${CALL}\n\`\`\`\nDone.`, null],
    ['a fence of waves', `~~~~\n~~~\n${CALL}\n~~~~`, null],
    ['a fence in a list', `- \`\`\`\n  ${CALL}\n  \`\`\``, null],
    ['a fence that never ends', `\`\`\`\n${CALL}`, null],
    ['code in a line', 'Write `<tool_call>{"name": "a"}</tool_call>` there.', null],
    ['a block quote', `The file says:\n> ${CALL.replaceAll('\n', '\n> ')}`, null],
    ['quotation marks', `The file says "Please\n${CALL}\nnow".`, null],
    ['Chinese quotation marks', `文件里写着：「请${CALL}」。`, null],
    ['marks right before', `'${CALL}'`, null],
    ['a response', `<tool_response>\n${CALL}\n</tool_response>`, null],
  ])('in %s never run', (_, written, text) => {
    const answer = read(written);
    expect(answer.calls).toEqual([]);
    expect(answer.passedOver).toBe(1);
    expect(answer.text).toBe(text ?? written.trim());
  });

  it('leaves out what a model makes up after its call', () => {
    const made = `${CALL}\n<tool_response>\n{"content": "x"}\n</tool_response>\nIt says x.\n${CALL}`;
    expect(read(made)).toEqual({ text: '', calls: [READ_A], passedOver: 0, inventedResponse: true });
    // A server that minds the stops ends there by itself.
    const [stopped = ''] = made.split(HERMES_STOPS[0] ?? '');
    expect(read(stopped)).toEqual({ text: '', calls: [READ_A], passedOver: 0, inventedResponse: false });
  });
});

const name = fc.stringMatching(/^[a-z][a-z_]{0,11}$/);
const matter = fc.oneof(
  fc.constantFrom('</tool_call>', '<tool_call>', '"', "'", '\\', '\n', '<think>', '```', '数一数', '👩‍💻'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const args = fc
  .dictionary(
    fc.string({ maxLength: 6 }),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(matter).map((parts) => parts.join('')),
    ),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const call = fc.record({ name, arguments: args });

describe('however it is written and cut', () => {
  it('reads what is printed', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), fc.boolean(), (calls, isPlain) => {
        const print = (each: (typeof calls)[number]) => (isPlain ? callOf(each) : printCall(each));
        expect(read(calls.map(print).join('\n'))).toEqual({
          text: '',
          calls: calls.map((each) => ['whole', each.name, each.arguments]),
          passedOver: 0,
          inventedResponse: false,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('never runs a call that is cut, at any place', () => {
    fc.assert(
      fc.property(call, (each) => {
        const written = callOf(each);
        const end = written.lastIndexOf('}');
        for (let at = 1; at <= end; at += 1) {
          for (const finish of ['stop', 'length', null] as const) {
            expect(read(written.slice(0, at), finish).calls.every(([state]) => state !== 'whole')).toBe(true);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('shows no piece of a call, at any place it is cut', () => {
    const plain = fc.stringMatching(/^[A-Z \n]{0,12}$/);
    fc.assert(
      fc.property(plain, call, plain, (before, each, after) => {
        const whole = before + printCall({ ...each, arguments: { secret: each.arguments } }) + after;
        const { text, shown, calls } = readIn([...whole]);
        expect([text, ...shown].join('')).toMatch(/^[A-Z \n]*$/);
        expect(text).toBe((before + after).trim());
        expect(calls).toHaveLength(1);
        for (let at = 0; at <= whole.length; at += 1)
          expect(read(whole.slice(0, at), 'length').text).toMatch(/^[A-Z \n]*$/);
      }),
      { numRuns: 50 },
    );
  });

  it('gives the same for all ways to cut it', () => {
    const token = fc.oneof(
      fc.constantFrom('<tool_call>', '</tool_call>', '<think>', '</think>', '<tool_response>', '</tool_response>'),
      fc.constantFrom(
        '{"name": "a"}',
        '{"name": "a", "arguments": {"b": "',
        '"}}',
        '```',
        '`',
        '"',
        '“',
        '> ',
        '\n',
        '<',
        'x',
      ),
    );
    const written = fc.array(token, { maxLength: 16 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(written, fc.constantFrom<FinishReason | null>('stop', 'length', null), (text, finish) => {
        const whole = read(text, finish);
        expect(readIn(text.split(''), finish)).toMatchObject(whole);
        for (let at = 1; at < text.length; at += 1) {
          expect(readIn([text.slice(0, at), text.slice(at)], finish)).toMatchObject(whole);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads megabytes', () => {
    const long = 'x > y\n'.repeat(300_000);
    const { text, calls } = readIn([`<think>${long}</think>`, ...callOf({ name: 'a', arguments: { b: long } })]);
    expect([text, calls]).toEqual(['', [['whole', 'a', { b: long }]]]);
  });

  it('runs nothing in a fence, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
        expect(read(`\`\`\`\`\n${calls.map(printCall).join('\n')}\n\`\`\`\`\n`).calls).toEqual([]);
      }),
    );
  });
});

function callOf(value: unknown): string {
  return `<tool_call>${JSON.stringify(value)}</tool_call>`;
}

function twoIn(between: string): string {
  return `<tool_call>{"name": "read", "arguments": {"path": "a"}}${between}{"name": "done"}</tool_call>`;
}

function bare(tool: string) {
  return ['whole', tool, {}];
}
function one() {
  return ['whole', 'a', { b: 1 }];
}
function closing() {
  return ['whole', 'a', { b: 'x </tool_call> y' }];
}
function thinking() {
  return ['whole', 'a', { b: '<think>x</think>' }];
}
