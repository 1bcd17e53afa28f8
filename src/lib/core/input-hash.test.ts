import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentDigest, inputHash } from './ids';
import { inputHashOf } from './input-hash';
import type { ModelRequest } from './model';
import type { Digest } from './ports';
import { toolCallId } from './tool';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const digest: Digest = {
  bytes: async (bytes) => contentDigest(sha256(bytes)),
  text: async (text) => inputHash(sha256(text)),
};

function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: 'system', content: 'You summarise.' },
      { role: 'user', content: 'Text of the file' },
    ],
    temperature: 0.1,
    maxTokens: 512,
    material: { what: 'file', text: 'Text of the file', language: 'en', ask: '' },
    ...fields,
  };
}

const hashOf = (fields: Partial<ModelRequest> = {}, model = 'hermes') => inputHashOf(digest, model, request(fields));

describe('inputHashOf', () => {
  test('seed defect 17: is a whole SHA-256 and the same for the same request', async () => {
    expect(await hashOf()).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf()).toBe(await hashOf());
  });

  test('seed defect 14: another model, temperature, limit or message makes another hash', async () => {
    const all = await Promise.all([
      hashOf(),
      hashOf({}, 'hermes-2'),
      hashOf({ temperature: 0.2 }),
      hashOf({ maxTokens: 1024 }),
      hashOf({ messages: [{ role: 'user', content: 'Text of the file' }] }),
      hashOf({ messages: [...request().messages].reverse() }),
    ]);
    expect(new Set(all).size).toBe(all.length);
  });

  test('a request without a schema or tools keeps the hash that it had before there were any', async () => {
    expect(await hashOf()).toBe('ccb14ffd28e9e1534aef8744e5bc26f7b436eab791c6cbf0b7c6a194615802bb');
    expect(await hashOf({ tools: [], turns: [] })).toBe(await hashOf());
  });

  test('a schema, a tool and what came of a call make another hash', async () => {
    const tool = { name: 'read', description: 'Reads.', parameters: { type: 'object' } };
    const call = { id: toolCallId('call_1'), name: 'read', arguments: { path: 'a' }, raw: '{}' };
    const turn = (content: string) => ({
      text: '',
      calls: [{ runs: true as const, call }],
      outcomes: [{ callId: call.id, name: 'read', isError: false, content }],
    });
    const all = await Promise.all([
      hashOf(),
      hashOf({ schema: { type: 'object' } }),
      hashOf({ schema: { type: 'object', required: ['a'] } }),
      hashOf({ tools: [tool] }),
      hashOf({ tools: [{ ...tool, description: 'Writes.' }] }),
      hashOf({ tools: [tool], turns: [turn('one')] }),
      hashOf({ tools: [tool], turns: [turn('two')] }),
      hashOf({ tools: [tool], turns: [{ ...turn('two'), notice: 'Go on.' }] }),
    ]);
    expect(new Set(all).size).toBe(all.length);
  });

  test('RES-11, seed defect 13: a change anywhere in a long text makes another hash', async () => {
    const long = fc.string({ minLength: 600, maxLength: 4_000 });
    await fc.assert(
      fc.asyncProperty(long, fc.nat(), async (text, seed) => {
        const at = seed % text.length;
        const changed = `${text.slice(0, at)}\u0001${text.slice(at + 1)}`;
        fc.pre(changed !== text);
        const ask = (content: string) => hashOf({ messages: [{ role: 'user', content }] });
        expect(await ask(changed)).not.toBe(await ask(text));
      }),
      { numRuns: 50 },
    );
  });

  test('text cannot be shifted between messages without changing the hash', async () => {
    const two = (first: string, second: string) =>
      hashOf({
        messages: [
          { role: 'user', content: first },
          { role: 'user', content: second },
        ],
      });
    expect(await two('ab', 'c')).not.toBe(await two('a', 'bc'));
    expect(await two('a","role":"user', 'b')).not.toBe(await two('a', '"role":"userb'));
  });

  test('the material for the built-in engine is no part of it: the messages hold it whole', async () => {
    const material = { what: 'file', text: 'worded otherwise', language: 'en', ask: 'x' } as const;
    expect(await hashOf({ material })).toBe(await hashOf());
  });
});
