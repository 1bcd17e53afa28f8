import type { JsonValue } from '../../src/lib/core/json-value';

export interface FetchCall {
  readonly method: string;
  /** Path and query, below the host. */
  readonly path: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly body: Readonly<Record<string, JsonValue>>;
}

type Reply = (call: FetchCall) => Response;

/** A `fetch` whose answers are given by address, in order; the last one is given again. It remembers what it was asked. */
export class RecordedFetch {
  readonly calls: FetchCall[] = [];
  readonly #replies = new Map<string, Reply[]>();

  /** `route` is a method and a path without its query. */
  on(route: string, ...replies: Reply[]): this {
    this.#replies.set(route, replies);
    return this;
  }

  to(route: string): readonly FetchCall[] {
    return this.calls.filter(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}` === route);
  }

  readonly fetch: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const text = typeof init?.body === 'string' ? init.body : '{}';
    const body = JSON.parse(text) as FetchCall['body'];
    const { method, headers, signal } = request;
    const call = { method, path: pathname + search, headers, signal, body };
    this.calls.push(call);
    const replies = this.#replies.get(`${request.method} ${pathname}`) ?? [];
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    init?.signal?.throwIfAborted();
    return Promise.resolve(reply?.(call) ?? refused(404, 'File Not Found', 'not_found_error'));
  };
}

export function refused(status: number, message: string, type = 'invalid_request_error'): Response {
  return Response.json({ error: { code: status, message, type } }, { status });
}

/** Headers, `bytes`, and then nothing until whoever asked goes away. */
export function hanging({ signal }: Pick<FetchCall, 'signal'>, bytes = ''): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes !== '') controller.enqueue(new TextEncoder().encode(bytes));
      signal.addEventListener('abort', () => controller.error(new DOMException('Aborted', 'AbortError')));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Bytes as an event stream: whole, or broken off behind them. */
export function streamed(bytes: string | Uint8Array<ArrayBuffer>, end: 'whole' | 'broken' = 'whole'): Response {
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!isSent) controller.enqueue(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
      else if (end === 'whole') controller.close();
      else controller.error(new TypeError('network error'));
      isSent = true;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
