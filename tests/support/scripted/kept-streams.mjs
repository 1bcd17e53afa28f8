// Streams that go on without a reader, as llama.cpp keeps those that their requests name (tests/cases/servers).

/** @import { ServerResponse } from 'node:http' */

/** Stands in for the response of a named request: what is written is kept, and sent to whoever reads now. */
export class KeptStream {
  /** @type {Buffer[]} */
  #pieces = [];
  #bytes = 0;
  /** @type {Set<ServerResponse>} */
  #readers = new Set();
  #startedAt = Math.floor(Date.now() / 1000);
  #completedAt = 0;
  /** Stopped, or pushed out by another of its name. */
  destroyed = false;

  /** @param {string} text */
  write(text) {
    if (this.destroyed) return;
    const piece = Buffer.from(text);
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    for (const reader of this.#readers) reader.write(piece);
  }

  /** @param {string} [text] */
  end(text) {
    if (text !== undefined) this.write(text);
    this.#completedAt = Math.floor(Date.now() / 1000);
    for (const reader of this.#readers) reader.end();
  }

  stop() {
    this.destroyed = true;
    this.end();
  }

  /** Sends what there is from a byte on, and what comes after it. @param {ServerResponse} response @param {Record<string, string>} headers @param {number} from */
  readBy(response, headers, from) {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    response.flushHeaders();
    const kept = Buffer.concat(this.#pieces).subarray(from);
    if (kept.length > 0) response.write(kept);
    if (this.#completedAt > 0) return void response.end();
    this.#readers.add(response);
    response.once('close', () => this.#readers.delete(response));
  }

  /** @param {string} id */
  listed(id) {
    return {
      conversation_id: id,
      is_done: this.#completedAt > 0,
      total_bytes: this.#bytes,
      started_at: this.#startedAt,
      completed_at: this.#completedAt,
    };
  }
}

/** The streams of one server, by the name that their requests gave them. They are lost with it. */
export class KeptStreams {
  /** @type {Map<string, KeptStream>} */
  #streams = new Map();

  /** One name, one stream: the one before it is ended. @param {string} id */
  begin(id) {
    this.#streams.get(id)?.stop();
    const stream = new KeptStream();
    this.#streams.set(id, stream);
    return stream;
  }

  /** @param {string} id */
  get(id) {
    return this.#streams.get(id) ?? null;
  }

  /** @param {string} id */
  remove(id) {
    this.#streams.get(id)?.stop();
    this.#streams.delete(id);
  }

  clear() {
    for (const id of [...this.#streams.keys()]) this.remove(id);
  }

  /** @param {readonly string[]} ids */
  lookUp(ids) {
    return ids.flatMap((id) => this.#streams.get(id)?.listed(id) ?? []);
  }
}
