import { expect, it } from 'vitest';
import { QUICK, modelAt, requestFor } from '../../../tests/support/model-fixtures';
import { identifyCalls } from '../core/call-identity';
import { stepKey } from '../core/ids';
import type { ToolWay } from '../core/capabilities';
import { plainDigest } from '../testing/plain-digest';

const TOOL = {
  name: 'read_file',
  description: 'Reads.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
};

interface Sent {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: unknown } }[];
  readonly tool_call_id?: string;
}

/** A server that refuses a history as strict ones do: arguments are one JSON text of an object, each call is answered. */
function refusal(messages: readonly Sent[]): string | null {
  for (const [at, { tool_calls: calls }] of messages.entries()) {
    for (const [n, { id, function: made }] of (calls ?? []).entries()) {
      if (typeof made.arguments !== 'string') return 'arguments must be a string';
      const value: unknown = JSON.parse(made.arguments);
      if (typeof value !== 'object' || value === null) return 'arguments must be JSON of an object';
      if (messages[at + 1 + n]?.tool_call_id !== id) return `call ${id} has no answer`;
    }
  }
  return null;
}

function serving(message: object, tools: ToolWay) {
  const model = modelAt(
    { url: 'http://127.0.0.1:9/v1' },
    {
      capabilities: { schema: null, tools, streaming: null },
      fetch: (_, init) => {
        const { messages } = JSON.parse(typeof init?.body === 'string' ? init.body : '') as {
          messages: readonly Sent[];
        };
        const wrong = refusal(messages);
        if (wrong !== null) return Promise.resolve(Response.json({ error: { message: wrong } }, { status: 400 }));
        const isFirst = !messages.some(({ role }) => role === 'assistant');
        const answer = isFirst ? message : { content: 'Done.' };
        return Promise.resolve(
          Response.json({ choices: [{ message: answer, finish_reason: isFirst ? 'tool_calls' : 'stop' }] }),
        );
      },
    },
  );
  return (turns: Parameters<typeof requestFor>[1]) =>
    model.complete(requestFor('Read a.', { tools: [TOOL], ...turns }), {
      signal: new AbortController().signal,
      clocks: QUICK,
    });
}

const native = (given: unknown) => ({ tool_calls: [{ id: 'x', function: { name: 'read_file', arguments: given } }] });

it.each<[string, object, ToolWay]>([
  ['JSON of an object', native('{"path":"a"}'), 'native'],
  ['SSE-19: an object', native({ path: 'a' }), 'native'],
  ['SSE-19: JSON of JSON', native('"{\\"path\\":\\"a\\"}"'), 'native'],
  ['text', { content: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>' }, 'hermes'],
])('arguments given as %s are understood, and go back in the one form that servers take', async (_, message, way) => {
  const ask = serving(message, way);
  const first = await ask({});
  if (!first.ok) throw new Error(first.failure.message);
  const { text, finishReason, calls } = first.value;
  expect(finishReason).toBe('tool_calls');
  expect(calls?.drafts).toMatchObject([{ read: 'whole', name: 'read_file', arguments: { path: 'a' } }]);
  const made = await identifyCalls(plainDigest, { step: stepKey('file/a'), turn: 0 }, calls?.drafts ?? [], [TOOL]);
  const [call] = made;
  if (!call?.runs) throw new Error('the call does not run');
  const outcomes = [{ callId: call.call.id, name: 'read_file', isError: false, content: 'Contents.' }];
  const second = await ask({ turns: [{ text, calls: made, outcomes }] });
  expect(second).toMatchObject({ ok: true, value: { text: 'Done.', finishReason: 'stop' } });
});

it('a call whose arguments do not fit the tool is not whole, and says in what', async () => {
  const first = await serving(native('{"file":"a"}'), 'native')({});
  expect(first.ok && first.value.calls?.drafts).toMatchObject([
    { read: 'bad_arguments', name: 'read_file', why: 'path: is missing; file: is not among the fields' },
  ]);
});

it('a call that the output limit cut is cut, whatever it looks like', async () => {
  const model = modelAt(
    { url: 'http://127.0.0.1:9/v1' },
    {
      capabilities: { schema: null, tools: 'native', streaming: null },
      fetch: () =>
        Promise.resolve(Response.json({ choices: [{ message: native('{"path":"a"}'), finish_reason: 'length' }] })),
    },
  );
  const answer = await model.complete(requestFor('Read a.', { tools: [TOOL] }), {
    signal: new AbortController().signal,
    clocks: QUICK,
  });
  expect(answer).toMatchObject({ ok: true, value: { finishReason: 'length', calls: { drafts: [{ read: 'cut' }] } } });
});

it('tools and turns are counted among the tokens of a prompt', async () => {
  const whole = { choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }] };
  const model = modelAt({ url: 'http://127.0.0.1:9/v1' }, { fetch: () => Promise.resolve(Response.json(whole)) });
  const counted = async (more: Parameters<typeof requestFor>[1]) => {
    const options = { signal: new AbortController().signal, clocks: QUICK };
    const answer = await model.complete(requestFor('Read a.', more), options);
    return answer.ok ? answer.value.usage.promptTokens : Number.NaN;
  };
  const plain = await counted({});
  const told = await counted({ tools: [TOOL] });
  expect(told).toBeGreaterThan(plain + JSON.stringify(TOOL).length);
  const turn = { text: 'x'.repeat(2_000), calls: [], outcomes: [] };
  expect(await counted({ tools: [TOOL], turns: [turn, turn] })).toBeGreaterThanOrEqual(told + 4_000);
});
