import * as v from 'valibot';
import type { ReattachWay } from '../../core/capabilities';
import { ErrorAnswer, RedirectAnswer } from '../answer-errors';
import type { EndpointClient } from '../openai-client';
import { readText } from '../read-text';

/** Names the stream of a request, so that the server keeps it. Sent to servers that are known to. */
export const STREAM_HEADER = 'X-Conversation-Id';

const MAX_LIST_BYTES = 1024 * 1024;

const Found = v.array(v.looseObject({ conversation_id: v.string(), total_bytes: v.fallback(v.number(), 0) }));

/** The streams that a server keeps of requests whose reader has gone: llama.cpp, in both forms that it had. */
export class KeptStreams {
  readonly #client: EndpointClient;
  readonly #way: ReattachWay;

  constructor(client: EndpointClient, way: ReattachWay) {
    this.#client = client;
    this.#way = way;
  }

  /** Bytes of those that are there, by id. Rejects as the client does when the server cannot be asked. */
  async find(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const listed = await this.#list(ids, signal);
    const found = v.safeParse(Found, listed);
    if (!found.success) return new Map();
    const wanted = found.output.filter((each) => ids.includes(each.conversation_id));
    return new Map(wanted.map((each) => [each.conversation_id, each.total_bytes]));
  }

  /** The stream from a byte on; null when it is not there any more, or not from there. */
  async open(id: string, from: number, signal: AbortSignal): Promise<Response | null> {
    try {
      return await this.#client.call('get', this.#path(id, { from: String(from) }), signal);
    } catch (error) {
      if (!(await this.#isOnlyThis(error, signal))) throw error;
      return null;
    }
  }

  /** Asks the server not to go on with it. Never rejects: what is not stopped ends by itself. */
  async stop(id: string, signal: AbortSignal): Promise<void> {
    await this.#client.call('delete', this.#path(id), signal).catch(() => undefined);
  }

  async #list(ids: readonly string[], signal: AbortSignal): Promise<unknown> {
    try {
      const body = { conversation_ids: ids };
      return await jsonOf(await this.#client.call('post', '/streams/lookup', signal, body));
    } catch (error) {
      if (!(await this.#isOnlyThis(error, signal))) throw error;
    }
    try {
      return await jsonOf(await this.#client.call('get', '/streams', signal));
    } catch (error) {
      if (!(await this.#isOnlyThis(error, signal))) throw error;
      return null;
    }
  }

  /**
   * Whether it is the kept streams alone that cannot be asked for, where a proxy lets these addresses through no more: the
   * answer is to be had all the same, and nothing would end the wait for them.
   */
  async #isOnlyThis(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (error instanceof ErrorAnswer || error instanceof RedirectAnswer) return isRefusal(error);
    if (signal.aborted) return false;
    try {
      await (await this.#client.models(signal)).body?.cancel();
      return true;
    } catch (other) {
      return other instanceof ErrorAnswer;
    }
  }

  #path(id: string, query: Record<string, string> = {}): string {
    if (this.#way === 'query') return `/stream?${new URLSearchParams({ conv_id: id, ...query }).toString()}`;
    const asked = new URLSearchParams(query).toString();
    return `/stream/${encodeURIComponent(id)}${asked === '' ? '' : `?${asked}`}`;
  }
}

/** The key, the balance, the rate, the time or the model that is being loaded: any other request would be refused for it. */
const OF_ALL_REQUESTS = [401, 402, 407, 408, 425, 429];

/** The server, or a proxy before it, understood and wants nothing of the kind; from 502 on there is nobody to want it. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof RedirectAnswer) return true;
  return error instanceof ErrorAnswer && error.status < 502 && !OF_ALL_REQUESTS.includes(error.status);
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await readText(response, MAX_LIST_BYTES);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
