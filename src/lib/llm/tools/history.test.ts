import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json-value';
import { toolCallId, type ToolSpec, type ToolTurn, type TurnCall } from '../../core/tool';
import { HermesReader } from './hermes-reader';
import { hermesPrompt, nativeTools } from './hermes-prompt';
import { hermesTurn, nativeTurn, printCall, printOutcome } from './history';
import { answerPassedOver, answerRefused } from '../../core/refusal-answer';

const CASES = new URL('../../../../tests/cases/llama-server/', import.meta.url);
const ID = toolCallId('call_1');
const READ = { id: ID, name: 'read_file', arguments: { path: 'a.txt', limit: 5 }, raw: '' };
const TURN: ToolTurn = {
  text: '',
  calls: [{ runs: true, call: READ }],
  outcomes: [{ callId: ID, name: 'read_file', isError: false, content: 'hello' }],
};

/** What was sent to a real server, and what it answered. */
function transcript(name: string) {
  const recorded = readFileSync(new URL(`${name}.txt`, CASES), 'utf8');
  const [command = '', ...rest] = recorded.split(/\r?\n/);
  const request = JSON.parse(command.slice(command.indexOf(' -d ') + 4)) as {
    messages: unknown[];
    tools: NativeTool[];
  };
  return { request, answer: JSON.parse(rest.find((line) => line.startsWith('{')) ?? '{}') as { prompt: string } };
}

interface NativeTool {
  readonly type: string;
  readonly function: ToolSpec;
}

function refusedCall(
  name: string | null,
  refusal: 'cut' | 'unreadable' | 'unknown_tool',
  given: JsonObject | null,
): TurnCall {
  return {
    runs: false,
    refused: { id: toolCallId(`call_${refusal}`), refusal, name, arguments: given, raw: '{"BROKEN' },
  };
}

function turnWith(calls: readonly TurnCall[], text = ''): ToolTurn {
  const outcomes = calls.map((call) =>
    call.runs
      ? { callId: call.call.id, name: call.call.name, isError: false, content: 'done' }
      : answerRefused(call.refused, []),
  );
  return { text, calls, outcomes };
}

describe('for a server that knows tools', () => {
  it('is what a real one took', () => {
    const { request } = transcript('27-tool-result');
    expect(nativeTurn(TURN)).toEqual(request.messages.slice(1));
    expect(nativeTools(request.tools.map((tool) => tool.function))).toEqual(request.tools);
  });

  it('SSE-19: states arguments in exactly one JSON text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const given = JSON.parse(JSON.stringify(value)) as JsonObject;
        const [asked] = nativeTurn({ ...TURN, calls: [{ runs: true, call: { ...READ, arguments: given } }] });
        if (asked === undefined || !('tool_calls' in asked)) throw new Error('no call');
        expect(JSON.parse(asked.tool_calls[0]?.function.arguments ?? '')).toEqual(given);
      }),
    );
  });

  it('SSE-18: keeps what is broken out, and says so', () => {
    const broken = refusedCall('write_file', 'cut', null);
    const messages = nativeTurn(turnWith([{ runs: true, call: READ }, broken], 'So.'));
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    expect(JSON.stringify(messages)).not.toContain('BROKEN');
    expect(messages[2]?.content).toContain('your call of "write_file" was cut off');
    expect(nativeTurn(turnWith([broken]))[0]).toEqual({
      role: 'assistant',
      content: '(A tool call that could not be read.)',
    });
  });

  it.each<[string, string[]]>([
    ['read', ['assistant', 'tool']],
    ['read the file!', ['assistant', 'user']],
  ])('tells of the unknown tool %s in a way that it takes', (name, roles) => {
    const messages = nativeTurn(turnWith([refusedCall(name, 'unknown_tool', {})]));
    expect(messages.map(({ role }) => role)).toEqual(roles);
  });

  it('refuses a turn with a call that nothing is told of', () => {
    expect(() => nativeTurn({ ...TURN, outcomes: [] })).toThrow('no outcome');
    expect(() => hermesTurn({ ...TURN, outcomes: [] })).toThrow('no outcome');
  });
});

describe('for a server that knows nothing of tools', () => {
  it('has the words of the template that Hermes was trained on', () => {
    const { request, answer } = transcript('28-apply-template-tools');
    const [said] = hermesTurn(TURN);
    expect(answer.prompt).toContain(`<|im_start|>assistant\n${said?.content ?? ''}<|im_end|>`);
    // The template words the schema of each tool its own way; all around it is the same.
    const system = /<\|im_start\|>system\n([\s\S]*?)<\|im_end\|>/.exec(answer.prompt)?.[1] ?? '';
    const around = (prompt: string) => prompt.replace(/<tools> [\s\S]* <\/tools>/, '<tools/>');
    const specs = request.tools.map((tool) => tool.function);
    expect(around(hermesPrompt(specs))).toBe(around(system));
    const signatures = /<tools> ([\s\S]*) <\/tools>/.exec(hermesPrompt(specs))?.[1]?.split('\n') ?? [];
    expect(signatures.map((line) => JSON.parse(line) as unknown)).toEqual(request.tools);
  });

  it('answers each call, the broken ones too', () => {
    const messages = hermesTurn(turnWith([{ runs: true, call: READ }, refusedCall(null, 'unreadable', null)], 'So.'));
    expect(messages).toEqual([
      { role: 'assistant', content: `So.\n${printCall(READ)}` },
      {
        role: 'user',
        content: expect.stringMatching(
          /^<tool_response>\n\{"name": "read_file", "content": "done"\}\n<\/tool_response>\n<tool_response>\n\{"error": "Not run/,
        ) as string,
      },
    ]);
  });

  it('lets no text of a file end its response or be a call', () => {
    const tag = fc.constantFrom('</tool_response>', '<tool_call>', '</TOOL_CALL>', '<think>', '</tools>', '<|im_end|>');
    const text = fc.array(fc.oneof(tag, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (content) => {
        const printed = printOutcome({ callId: ID, name: 'read_file', isError: false, content });
        const inner = printed.slice('<tool_response>\n'.length, -'\n</tool_response>'.length);
        expect(inner).not.toMatch(/<\/?(tool|think)|<\|/i);
        expect(JSON.parse(inner)).toEqual({ name: 'read_file', content });
        const reader = new HermesReader();
        reader.push(printed);
        expect(reader.end('stop').drafts).toEqual([]);
      }),
    );
  });

  it('prints megabytes', () => {
    const content = 'a "line"\n\\'.repeat(300_000);
    const printed = printOutcome({ callId: ID, name: 'read_file', isError: false, content });
    expect(JSON.parse(printed.split('\n')[1] ?? '')).toEqual({ name: 'read_file', content });
  });
});

it('tells a model whose calls were all examples, and no other', () => {
  expect(answerPassedOver(2, 0, false)).toContain('Nothing was run');
  expect(answerPassedOver(2, 1, false)).toBeNull();
  expect(answerPassedOver(0, 0, false)).toBeNull();
  expect(answerPassedOver(2, 0, true)).toBeNull();
});

it.each([
  ['cut' as const, 'a', 'Not run: your call of "a" was cut off'],
  ['unreadable' as const, null, 'Not run: your call of a tool is not valid JSON'],
  ['after_broken' as const, 'a', 'Not run: your call of "a" follows one that could not be read'],
  ['nameless' as const, null, 'Not run: your call names no tool. There are no tools.'],
])('tells why a call was not run: %s', (refusal, name, words) => {
  expect(answerRefused({ id: ID, refusal, name, arguments: null, raw: '' }, []).content).toContain(words);
});
