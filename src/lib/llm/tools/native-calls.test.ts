import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepKey } from '../../core/ids';
import type { FinishReason } from '../../core/model';
import { plainDigest } from '../../testing/plain-digest';
import { finishReasonOf } from '../finish-reason';
import { EventParser } from '../sse';
import { identifyCalls } from '../../core/call-identity';
import { NativeCalls } from './native-calls';

const CASES = new URL('../../../../tests/cases/', import.meta.url);
const READ_A = { name: 'read', arguments: '{"path":"a"}' };

type Piece = Record<string, unknown>;

/** Each piece is one element of the `tool_calls` of a delta of its own. */
function readPieces(pieces: readonly Piece[], finish: FinishReason | null = 'tool_calls') {
  const calls = new NativeCalls();
  for (const piece of pieces) calls.push({ tool_calls: [piece] });
  return told(calls, finish);
}

function told(calls: NativeCalls, finish: FinishReason | null) {
  return calls.end(finish).map((draft) => {
    return draft.read === 'whole' ? [draft.name, draft.arguments] : [draft.name, draft.read];
  });
}

interface Answer {
  readonly choices?: readonly { delta?: unknown; message?: unknown; finish_reason?: string | null }[];
}

/** A recorded stream, or a recorded answer in one piece. */
function replay(body: string): { calls: NativeCalls; finish: FinishReason | null } {
  const calls = new NativeCalls();
  let finish: FinishReason | null = null;
  const parser = new EventParser(null);
  const events = body.startsWith('{') ? [body] : [...parser.push(body), ...parser.end()].map(({ data }) => data);
  for (const data of events.filter((each) => each !== '[DONE]')) {
    const choice = (JSON.parse(data) as Answer).choices?.[0];
    calls.push(choice?.delta ?? choice?.message);
    if (choice?.finish_reason) finish = finishReasonOf(choice.finish_reason);
  }
  return { calls, finish };
}

const sse = (name: string) => readFileSync(new URL(`sse/${name}.sse`, CASES), 'utf8');
const transcript = (name: string) =>
  readFileSync(new URL(`llama-server/${name}.txt`, CASES), 'utf8')
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join('\n\n')
    .trim();

describe('recorded streams', () => {
  it.each([
    ['SSE-16', 'sse16-tool-delta-no-id'],
    ['SSE-18', 'sse18-tool-same-index'],
    ['SSE-19', 'sse19-args-object'],
  ])('%s: %s', (_, name) => {
    const expected = JSON.parse(readFileSync(new URL(`sse/${name}.expected.json`, CASES), 'utf8')) as {
      calls: { name: string; arguments: unknown }[];
    };
    const { calls, finish } = replay(sse(name));
    expect(told(calls, finish)).toEqual(expected.calls.map((call) => [call.name, call.arguments]));
  });

  const first = ['read_file', { path: '<tool_call> ', limit: 2 }];
  const cut = ['read_file', 'cut'];
  it.each([
    ['23-tools-required', [first, cut]],
    ['23b-tools-single', [first, readFile(',', 4), readFile('l', 2), cut]],
    ['24-tools-required-stream', [first, cut]],
    ['24b-tools-single-stream', [first, readFile(',', 4), readFile('l', 2), cut]],
    ['25-tools-auto', [first, cut]],
    ['26-tools-parallel', [first, readFile(',', 4), readFile(',', 1), cut]],
    ['29-tool-truncated', [cut]],
    ['29b-tool-truncated-stream', [cut]],
    ['29c-tool-named', [first, cut]],
    ['27-tool-result', []],
    ['30-prefill-stream', []],
    ['31-prefill-tools', []],
  ])('of llama-server: %s', (name, expected) => {
    const { calls, finish } = replay(transcript(name));
    expect(finish).toBe('length');
    expect(told(calls, finish)).toEqual(expected);
  });
});

describe('pieces', () => {
  it.each<[string, readonly Piece[], unknown[]]>([
    ['no index', [{ id: 'a', function: READ_A }, { function: { arguments: ' ' } }], [readA()]],
    [
      'no index, two ids',
      [
        { id: 'a', function: READ_A },
        { id: 'b', function: READ_A },
      ],
      [readA(), readA()],
    ],
    ['ids that take turns', turns(), [readA(), readA()]],
    [
      'two calls at one index, no ids',
      [
        { index: 0, function: READ_A },
        { index: 0, function: READ_A },
      ],
      [readA(), readA()],
    ],
    ['the name with each piece', [piece('read', '{"path":'), piece('read', '"a"}')], [readA()]],
    ['the name in pieces', [piece('re', ''), piece('ad', ''), piece('', '{"path":"a"}')], [readA()]],
    [
      'the id with each piece',
      [
        { id: 'a', ...piece('read', '{"path":') },
        { id: 'a', ...piece('', '"a"}') },
      ],
      [readA()],
    ],
    [
      'an empty id',
      [
        { id: '', ...piece('read', '{"path":') },
        { id: '', ...piece('', '"a"}') },
      ],
      [readA()],
    ],
    ['no arguments', [{ index: 0, function: { name: 'done' } }], [['done', {}]]],
    ['null', [{ index: 0, function: { name: 'done', arguments: null } }], [['done', {}]]],
    ['an empty text', [piece('done', ' ')], [['done', {}]]],
    ['encoded twice', [piece('read', JSON.stringify('{"path":"a"}'))], [readA()]],
    ['an object', [{ index: 0, function: { name: 'read', arguments: { path: 'a' } } }], [readA()]],
    ['a Python dict', [piece('read', "{'path': 'a'}")], [readA()]],
    ['the last brace missing', [piece('read', '{"path":"a"')], [readA()]],
    ['only the first brace', [piece('read', '{')], [['read', 'cut']]],
    ['a cut text', [piece('read', '{"path":"a')], [['read', 'cut']]],
    ['two objects', [piece('read', '{"path":"a"}{"path":"b"}')], [['read', 'unreadable']]],
    ['a list', [piece('read', '["a"]')], [['read', 'unreadable']]],
    [
      'an object twice',
      [object(), object()],
      [
        ['read', { path: 'a' }],
        ['read', { path: 'a' }],
      ],
    ],
    [
      'an object and text',
      [
        { id: 'a', ...object() },
        { id: 'a', ...piece('', '{"path":"b"}') },
      ],
      [['read', 'unreadable']],
    ],
    ['the name repeated at the end', [piece('read', '{"path":"a"}'), piece('read', '')], [readA()]],
    [
      'an object nested beyond all',
      [{ index: 0, function: { name: 'read', arguments: nested(5000) } }],
      [['read', 'unreadable']],
    ],
    ['no name', [piece('', '{"path":"a"}')], [[null, 'nameless']]],
    ['what is no call', [{ index: 'x', id: 7 }], [[null, 'nameless']]],
  ])('%s', (_, pieces, expected) => expect(readPieces(pieces)).toEqual(expected));

  it.each([null, 'tool_calls', [null], [7], { tool_calls: 'x' }, { tool_calls: [null, 'x'] }])(
    'takes %j for nothing',
    (value) => {
      const calls = new NativeCalls();
      calls.push(value);
      expect(calls.end('tool_calls')).toEqual([]);
    },
  );

  it.each<[FinishReason | null, unknown[]]>([
    ['stop', [readA(), readA()]],
    ['length', [readA(), ['read', 'cut']]],
    ['content_filter', [readA(), ['read', 'cut']]],
    [
      null,
      [
        ['read', 'cut'],
        ['read', 'cut'],
      ],
    ],
  ])('an answer that ended in %s', (finish, expected) => {
    expect(
      readPieces(
        [
          { index: 0, function: READ_A },
          { index: 1, function: READ_A },
        ],
        finish,
      ),
    ).toEqual(expected);
  });

  it('never runs arguments that are cut, at any place, and reads them whole in any pieces', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), fc.array(fc.nat()), (value, cuts) => {
        const json = JSON.stringify(value);
        const bounds = [0, ...new Set(cuts.map((cut) => cut % json.length)), json.length].sort((a, b) => a - b);
        const pieces = bounds.map((from, n) => piece(n === 0 ? 'read' : '', json.slice(from, bounds[n + 1] ?? from)));
        expect(readPieces(pieces)).toEqual([['read', JSON.parse(json)]]);
        for (let at = 1; at < json.length - 1; at += 1) {
          expect(readPieces([piece('read', json.slice(0, at))], 'length')).toEqual([['read', 'cut']]);
        }
      }),
    );
  });
});

describe('ids', () => {
  const specs = [{ name: 'read', description: '', parameters: {} }];
  const idsOf = async (pieces: readonly Piece[], step: string, turn: number) => {
    const calls = new NativeCalls();
    for (const each of pieces) calls.push({ tool_calls: [each] });
    const made = await identifyCalls(plainDigest, { step: stepKey(step), turn }, calls.end('stop'), specs);
    return made.map((each) => (each.runs ? each.call.id : each.refused.id));
  };
  const two = (ids: readonly string[]) => ids.map((id, index) => ({ index, id, function: READ_A }));

  it('are the same for the same answer, whatever the server called them', async () => {
    const once = await idsOf(two(['x1', 'x2']), 'file/a', 0);
    expect(await idsOf(two(['', '']), 'file/a', 0)).toEqual(once);
    expect(once.every((id) => /^call_[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  it('differ by place, order, tool and arguments', async () => {
    const all = [
      ...(await idsOf(two(['x', 'y']), 'file/a', 0)),
      ...(await idsOf(two(['x', 'y']), 'file/a', 1)),
      ...(await idsOf(two(['x', 'y']), 'file/b', 0)),
      ...(await idsOf([piece('read', '{}')], 'file/a', 0)),
      ...(await idsOf([piece('done', '{}')], 'file/a', 0)),
      ...(await idsOf([piece('read', '{"a')], 'file/a', 0)),
      ...(await idsOf([piece('read', '{"b')], 'file/a', 0)),
    ];
    expect(new Set(all).size).toBe(10);
  });
});

function piece(name: string, text: string): Piece {
  return { index: 0, function: { name, arguments: text } };
}
function nested(depth: number): unknown {
  let value: unknown = {};
  for (let n = 0; n < depth; n += 1) value = { value };
  return value;
}
function object(): Piece {
  return { index: 0, function: { name: 'read', arguments: { path: 'a' } } };
}
function readA() {
  return ['read', { path: 'a' }];
}
function readFile(mark: string, limit: number) {
  return ['read_file', { path: `<tool_call>${mark}`, limit }];
}
function turns(): Piece[] {
  return [
    { index: 0, id: 'a', function: { name: 'read', arguments: '{"path"' } },
    { index: 0, id: 'b', function: { name: 'read', arguments: '{"path"' } },
    { index: 0, id: 'a', function: { arguments: ':"a"}' } },
    { index: 0, id: 'b', function: { arguments: ':"a"}' } },
  ];
}
