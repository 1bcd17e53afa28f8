// Chats beyond the slots of a server wait for one, without headers, as servers with a queue have it.

/** @import { ServerResponse } from 'node:http' */

export class Slots {
  /** @type {Set<ServerResponse>} */
  #working = new Set();
  /** @type {(() => void)[]} */
  #queue = [];

  /** Resolves when there is a slot for it, or when its client is gone. @param {ServerResponse} response @param {number} most @returns {Promise<void>} */
  async enter(response, most) {
    while (this.#working.size >= most && !response.destroyed) await this.#turn(response);
    if (response.destroyed) return this.#next();
    this.#working.add(response);
    response.once('close', () => {
      this.#working.delete(response);
      this.#next();
    });
  }

  #next() {
    this.#queue.shift()?.();
  }

  /** @param {ServerResponse} response @returns {Promise<void>} */
  #turn(response) {
    return new Promise((resolve) => {
      const go = () => {
        this.#queue = this.#queue.filter((each) => each !== go);
        response.off('close', go);
        resolve();
      };
      this.#queue.push(go);
      response.once('close', go);
    });
  }
}
