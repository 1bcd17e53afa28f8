import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../../core/model';
import type { JsonObject } from '../../core/json-value';
import { stepKey } from '../../core/ids';
import type { ToolSpec } from '../../core/tool';
import { DEFAULT_LOOP_LIMITS, loopStop, refusedRecord, type CallRecord } from '../../core/tool-loop';
import { plainDigest } from '../../testing/plain-digest';
import { identifyCalls } from '../../core/call-identity';
import { HermesReader } from './hermes-reader';
import { answerRefused } from '../../core/refusal-answer';

const CASES = new URL('../../../../tests/cases/hermes/', import.meta.url);
const NAMES = readdirSync(CASES).filter((name) => name.endsWith('.txt'));
const TOOLS = ['read_file', 'write_file', 'list_directory', 'search', 'get_datetime'];
const SPECS: readonly ToolSpec[] = TOOLS.map((name) => ({ name, description: name, parameters: { type: 'object' } }));

/** `HTC-05` for `htc05-truncated.txt`. */
const idOf = (name: string) => name.slice(0, 5).toUpperCase().replace('HTC', 'HTC-');

interface Expected {
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  readonly text?: string;
  readonly error?: 'truncated_tool_call' | 'unknown_tool';
  readonly tool_result?: string;
  readonly stream_pieces?: readonly string[];
}

function recorded(name: string): { written: string; expected: Expected } {
  const written = readFileSync(new URL(name, CASES), 'utf8');
  const expected = readFileSync(new URL(name.replace('.txt', '.expected.json'), CASES), 'utf8');
  return { written, expected: JSON.parse(expected) as Expected };
}

async function turnOf(pieces: readonly string[], finish: FinishReason, turn = 0) {
  const reader = new HermesReader();
  for (const piece of pieces) reader.push(piece);
  const { text, drafts } = reader.end(finish);
  return { text, calls: await identifyCalls(plainDigest, { step: stepKey('file/a'), turn }, drafts, SPECS) };
}

it('finds all recorded answers', () => {
  const ids = ['HTC-01', 'HTC-02', 'HTC-03', 'HTC-05', 'HTC-06', 'HTC-08', 'HTC-09', 'HTC-11', 'HTC-13'];
  expect(NAMES.map(idOf)).toEqual(ids);
});

describe.each(NAMES.map((name) => [idOf(name), name] as const))('%s: %s', (_, name) => {
  const { written, expected } = recorded(name);
  const finish = expected.error === 'truncated_tool_call' ? 'length' : 'stop';

  it('is read as expected, however it is cut', async () => {
    const whole = await turnOf([written], finish);
    expect(whole.text).toBe(expected.text ?? '');
    const seen = whole.calls.map((call) => (call.runs ? call.call : call.refused));
    if (expected.error === undefined) {
      expect(seen).toMatchObject(expected.calls);
    } else {
      const refusal = { truncated_tool_call: 'cut', unknown_tool: 'unknown_tool' }[expected.error];
      expect(whole.calls).toMatchObject([{ runs: false, refused: { refusal } }]);
    }
    for (let at = 1; at < written.length; at += 1) {
      expect(await turnOf([written.slice(0, at), written.slice(at)], finish)).toEqual(whole);
    }
    if (expected.stream_pieces) expect(await turnOf(expected.stream_pieces, finish)).toEqual(whole);
  });
});

describe('HTC-05: a cut write', () => {
  it.each<FinishReason>(['length', 'stop'])('is told as such when the answer ended in %s', async (finish) => {
    const { calls } = await turnOf([recorded('htc05-truncated.txt').written], finish);
    expect(calls).toMatchObject([{ runs: false, refused: { refusal: 'cut', name: 'write_file', arguments: null } }]);
    const [call] = calls;
    if (call?.runs !== false) throw new Error('it ran');
    expect(answerRefused(call.refused, SPECS).content).toContain('cut off');
  });

  it('is asked for again once, and no more', async () => {
    expect(await turnsUntilStop('htc05-truncated.txt')).toEqual({ turns: 2, stop: 'broken_calls' });
  });
});

describe('HTC-08: an unknown tool', () => {
  it('is answered with the names that there are', async () => {
    const { calls } = await turnOf([recorded('htc08-unknown-tool.txt').written], 'stop');
    const [call] = calls;
    if (call?.runs !== false) throw new Error('it ran');
    const { content, isError, callId } = answerRefused(call.refused, SPECS);
    expect(content).toBe(`Not run: there is no tool named "read". The tools are: ${TOOLS.join(', ')}.`);
    expect({ isError, callId }).toEqual({ isError: true, callId: call.refused.id });
  });

  it('ends the step when it is repeated for ever', async () => {
    expect(await turnsUntilStop('htc08-unknown-tool.txt')).toEqual({ turns: 3, stop: 'equal_failures' });
  });
});

it('HTC-13: a call in a wrapper that is no tool stops after three times', async () => {
  expect(await turnsUntilStop('htc13-nested-wrapper.txt')).toEqual({ turns: 3, stop: 'equal_failures' });
});

async function turnsUntilStop(name: string) {
  const { written } = recorded(name);
  const turns: CallRecord[][] = [];
  for (;;) {
    const { calls } = await turnOf([written], 'stop', turns.length);
    turns.push(
      calls.map((call) => {
        if (call.runs) throw new Error('it ran');
        return refusedRecord(call.refused);
      }),
    );
    const stop = loopStop(turns, DEFAULT_LOOP_LIMITS);
    if (stop !== null) return { turns: turns.length, stop };
  }
}
