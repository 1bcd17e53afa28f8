import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type EventPlace } from '../sse';

interface Placed extends EventPlace {
  readonly data: string;
}

async function placesOf(pieces: readonly Uint8Array[], offset = 0): Promise<Placed[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const placed: Placed[] = [];
  for await (const events of readEvents(stream, { offset })) {
    for (const { data, place } of events) if (place) placed.push({ data, ...place });
  }
  return placed;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('where the events of a stream are', () => {
  it.each([
    ['LF', 'data: a\n\ndata: 数\n\n', [0, 9, 20]],
    ['CRLF', 'data: a\r\n\r\ndata: 数\r\n\r\n', [0, 11, 24]],
    ['CR', 'data: a\r\rdata: 数\r\r:', [0, 9, 20]],
    ['a byte order mark', '\uFEFFdata: a\n\ndata: 数\n\n', [0, 12, 23]],
  ])('is told in bytes: %s', async (_, text, [first = 0, second = 0, third = 0]) => {
    expect(await placesOf([bytes(text)])).toEqual([
      { data: 'a', from: first, end: second },
      { data: '数', from: second, end: third },
    ]);
  });

  it('leaves comments and blank lines between events out of the next one', async () => {
    const [, second] = await placesOf([bytes('data: a\n\n:\n\n\ndata: b\n\n')]);
    expect(second).toEqual({ data: 'b', from: 13, end: 22 });
  });

  it('begins at the byte that was asked for', async () => {
    expect(await placesOf([bytes('data: a\n\n')], 400)).toEqual([{ data: 'a', from: 400, end: 409 }]);
  });

  it('is not told of an event that the end of the stream cuts off', async () => {
    expect(await placesOf([bytes('data: a\n\ndata: b')])).toEqual([{ data: 'a', from: 0, end: 9 }]);
  });

  it('lets a stream be read on from any of them, however the bytes are cut', async () => {
    const line = fc.constantFrom('data: 数', 'data: 👩‍💻', ': c', 'event: e', '', '', 'data:', 'data: \uFEFF');
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const stream = fc.array(fc.tuple(line, ending), { maxLength: 12 }).map((lines) => bytes(lines.flat().join('')));
    await fc.assert(
      fc.asyncProperty(stream, async (all) => {
        const placed = await placesOf([...all].map((byte) => Uint8Array.of(byte)));
        expect(placed).toEqual(await placesOf([all]));
        for (const [index, { from, end }] of placed.entries()) {
          expect(await placesOf([all.subarray(from)], from)).toEqual(placed.slice(index));
          expect(await placesOf([all.subarray(end)], end)).toEqual(placed.slice(index + 1));
        }
      }),
    );
  });
});
