/** A model server that answers each question in one way only, and can be told to misbehave for a while. */
import { startModelServer } from '../support/model-server.mjs';
import { digestOf } from '../support/model-answers.mjs';
import { answerTo, isAboutFile, taskOf } from './questions.mjs';

/** @import { Behaviour, ModelServer, ServedRequest } from '../support/model-server-types' */
/** @import { Question, TaskWish } from './chaos-types' */

/** @typedef {(request: ServedRequest) => Behaviour} Misbehaviour */

/** Of the report's own questions. */
const MERGE_MS = 40;

export class ChaosServer {
  /** @type {ModelServer} */
  #server;
  /** @type {readonly TaskWish[]} */
  #tasks;
  /** @type {Misbehaviour[]} the newest decides */
  #misbehaviours = [];
  /** @type {(question: Question) => void} */
  #onQuestion;
  #isHurried = false;
  /** @type {Promise<void>} */
  #opened = Promise.resolve();
  #downs = 0;

  /** @param {ModelServer} server @param {readonly TaskWish[]} tasks @param {(question: Question) => void} onQuestion */
  constructor(server, tasks, onQuestion) {
    this.#server = server;
    this.#tasks = tasks;
    this.#onQuestion = onQuestion;
    server.script((request) => this.#play(request));
    server.scriptOthers((request) => this.#misbehaviours.at(-1)?.(request) ?? null);
  }

  /** @param {readonly TaskWish[]} tasks @param {(question: Question) => void} onQuestion told of each as it arrives */
  static async start(tasks, onQuestion) {
    const server = await startModelServer({ answer: answerTo, exposeHeaders: 'retry-after' });
    return new ChaosServer(server, tasks, onQuestion);
  }

  get url() {
    return this.#server.url;
  }

  /** From now on answers come at once. */
  hurry() {
    this.#isHurried = true;
  }

  /** Resolves when something has happened that makes it true, or after the time. @param {() => boolean} isTrue @param {number} limitMs */
  async waitFor(isTrue, limitMs) {
    await this.#server.waitFor(isTrue, Math.max(1, limitMs)).catch(() => undefined);
  }

  /** @param {Misbehaviour} how @returns {() => void} ends it */
  misbehave(how) {
    this.#misbehaviours.push(how);
    return () => void this.#misbehaviours.splice(this.#misbehaviours.indexOf(how), 1);
  }

  /** From now on nobody gets so much as headers. @returns {() => void} ends it */
  hold() {
    /** @type {() => void} */
    let open = () => undefined;
    /** @type {Promise<void>} */
    const opened = new Promise((resolve) => {
      open = resolve;
    });
    const before = this.#opened;
    this.#opened = Promise.all([before, opened]).then(() => undefined);
    return open;
  }

  /** Overlapping outages end with the last of them. */
  async goDown() {
    this.#downs += 1;
    if (this.#downs === 1) await this.#server.stop();
  }

  async comeUp() {
    this.#downs -= 1;
    if (this.#downs === 0) await this.#server.restart();
  }

  /** Whoever waits for the rest of an answer learns that it will not come. */
  cutAll() {
    this.#server.killConnections();
  }

  async stop() {
    await this.#server.stop();
  }

  /** @param {ServedRequest} request @returns {Promise<Behaviour>} */
  async #play(request) {
    const misbehaviour = this.#misbehaviours.at(-1);
    const task = taskOf(request.content);
    this.#onQuestion({ digest: digestOf(request.content), task, isSpoiled: misbehaviour !== undefined });
    await this.#opened;
    if (misbehaviour) return misbehaviour(request);
    const wish = this.#tasks.find(({ name }) => name === task);
    const totalMs = isAboutFile(request.content) ? (wish?.answerMs ?? 0) : MERGE_MS;
    if (this.#isHurried || totalMs === 0) return { type: 'stream' };
    // Half of it before the first word, the rest between the words.
    return { type: 'stream', delayMs: totalMs / 2, betweenMs: totalMs / 14 };
  }
}
