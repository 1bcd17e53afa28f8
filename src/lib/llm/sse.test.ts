import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type StreamEvent } from './sse';

type Told = Pick<StreamEvent, 'name' | 'data'>;

const told = (events: readonly StreamEvent[]): Told[] => events.map(({ name, data }) => ({ name, data }));

async function eventsOf(pieces: readonly Uint8Array[]): Promise<Told[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: Told[] = [];
  for await (const ofPiece of readEvents(stream)) events.push(...told(ofPiece));
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const of = (...data: string[]) => data.map((each) => ({ name: '', data: each }));

describe('readEvents', () => {
  it.each<[string, string, Told[]]>([
    ['LF', 'data: a\n\ndata: b\n\n', of('a', 'b')],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', of('a', 'b')],
    ['CR', 'data: a\r\rdata: b\r\r', of('a', 'b')],
    ['no space after the colon', 'data:a\n\n', of('a')],
    ['only the first space is taken', 'data:  a\n\n', of(' a')],
    ['several data lines', 'data: a\ndata: b\n\n', of('a\nb')],
    ['comments', ': hi\n\n:\n\ndata: a\n:between\ndata: b\n\n', of('a\nb')],
    ['named events', 'event: error\ndata: x\n\ndata: y\n\n', [{ name: 'error', data: 'x' }, ...of('y')]],
    ['the error field of old llama.cpp', 'error: {"code":500}\n\n', [{ name: 'error', data: '{"code":500}' }]],
    ['other fields', 'id: 1\nretry: 5\ndata\n\n', of('')],
    ['a byte order mark', '\uFEFFdata: a\n\n', of('a')],
    ['no blank line at the end', 'data: a\n\ndata: b', of('a', 'b')],
    ['a CR at the very end', 'data: a\n\ndata: b\r', of('a', 'b')],
    ['nothing', '', []],
  ])('%s', async (_, text, events) => {
    expect(await eventsOf([bytes(text)])).toEqual(events);
  });

  it('SSE-08: gives the same events when cut at any one byte', async () => {
    const recorded = readFileSync(new URL('../../../tests/cases/sse/sse08-utf8-split.sse', import.meta.url));
    const whole = await eventsOf([recorded]);
    expect(whole).toHaveLength(5);
    for (let cut = 1; cut < recorded.length; cut += 1) {
      expect(await eventsOf([recorded.subarray(0, cut), recorded.subarray(cut)])).toEqual(whole);
    }
  });

  it('gives the same events however the bytes are cut', async () => {
    const line = fc.constantFrom('data: 数', 'data: 👩‍💻', ': c', 'event: e', 'error: x', '', '', 'data:');
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const stream = fc.array(fc.tuple(line, ending), { maxLength: 12 }).map((lines) => bytes(lines.flat().join('')));
    await fc.assert(
      fc.asyncProperty(stream, async (all) => {
        const single = [...all].map((byte) => Uint8Array.of(byte));
        expect(await eventsOf(single)).toEqual(await eventsOf([all]));
      }),
    );
  });

  it('cancels the stream when the loop is left', async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('data: a\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const events of readEvents(stream)) {
      expect(told(events)).toEqual(of('a'));
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
