import type { FinishReason } from '../../core/model';
import { readCallBody, refused } from './call-body';
import type { CallDraft, RefusedDraft, ToolCallsRead } from '../../core/tool';
import { isWholeAnswer } from './call-draft';
import { CLOSE_CALL, CLOSE_RESPONSE, OPEN_CALL, OPEN_RESPONSE } from './hermes-tags';
import { OpenCall } from './open-call';
import { Quoting } from './quoting';

/** What an answer in Hermes' form holds. */
export interface HermesAnswer extends ToolCallsRead {
  /** What the person may read: no thinking, no calls. */
  readonly text: string;
  /** The model went on with a response of its own making; what followed is left out. */
  readonly inventedResponse: boolean;
}

const OPEN_THOUGHTS = ['<think>', '<thinking>'];
const CLOSE_THOUGHTS = ['</think>', '</thinking>'];
const TAGS = [OPEN_CALL, CLOSE_CALL, OPEN_RESPONSE, CLOSE_RESPONSE, ...OPEN_THOUGHTS, ...CLOSE_THOUGHTS];
const LONGEST_TAG = Math.max(...TAGS.map((tag) => tag.length));
/** From here on it can be nothing but the beginning of a call. */
const SURE_BEGINNING = '<tool_c';

/**
 * Reads text with `<tool_call>` tags, however it is cut into pieces. Calls are known at the end only: a `</think>` may still
 * show that all before it was thinking, and nothing of an answer that was cut is run.
 */
export class HermesReader {
  /** Without white space at its beginning: to take that away from the whole at each piece would read all of it again. */
  #text = '';
  #pending = '';
  #quoting = new Quoting();
  #call: OpenCall | null = null;
  #thought: string | null = null;
  #thoughtTail = '';
  #inResponse = false;
  #isOver = false;
  #drafts: CallDraft[] = [];
  #passedOver = 0;
  /** Where in the text the last call stood. */
  #callAt = -1;
  /** A closing tag of thinking, and the blanks after it, until it is known whether it has its line for itself. */
  #close: string | null = null;
  readonly #onThought: (thought: string) => void;

  /** `onThought` gets each block of thinking once it is known for one, without its tags. */
  constructor(onThought: (thought: string) => void = () => undefined) {
    this.#onThought = onThought;
  }

  /** What may be shown so far: no thinking, no call and no piece of a tag. */
  get text(): string {
    return this.#text;
  }

  push(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) this.#take(piece.charAt(at));
  }

  /** `finish` is null when the answer broke off. Calls without an end are `cut`, and so are all of an answer that was. */
  end(finish: FinishReason | null): HermesAnswer {
    const isWhole = isWholeAnswer(finish);
    this.#endPending(isWhole);
    if (this.#close !== null) this.#settleClose(true);
    if (this.#call !== null) this.#endOpenCall(this.#call, isWhole);
    if (this.#thought !== null) this.#endThought(this.#thought, isWhole);
    const drafts = isWhole ? this.#drafts : this.#drafts.map((draft) => refusedAs('cut', draft));
    const { text, passedOver } = { text: this.#text.trim(), passedOver: this.#passedOver };
    return { text, drafts, passedOver, inventedResponse: this.#isOver };
  }

  #take(char: string): void {
    if (this.#isOver) return;
    if (this.#call !== null) this.#takeInCall(this.#call, char);
    else if (this.#thought !== null) this.#takeInThought(this.#thought, char);
    else if (this.#pending === '' && char !== '<') this.#show(char);
    else this.#takeInTag(char);
  }

  #takeInTag(char: string): void {
    this.#pending += char;
    const tag = this.#pending.toLowerCase();
    if (TAGS.includes(tag)) {
      const written = this.#pending;
      this.#pending = '';
      this.#takeTag(tag, written);
    } else if (!TAGS.some((each) => each.startsWith(tag))) {
      const next = this.#pending.indexOf('<', 1);
      const shown = next < 0 ? this.#pending : this.#pending.slice(0, next);
      this.#pending = next < 0 ? '' : this.#pending.slice(next);
      this.#show(shown);
    }
  }

  #takeTag(tag: string, written: string): void {
    if (this.#close !== null) this.#settleClose(true);
    if (tag === OPEN_CALL) this.#openCall(written);
    else if (tag === CLOSE_CALL) {
      // A second closing tag belongs to a call that was wrapped twice.
      const follows = this.#callAt >= 0 && this.#text.slice(this.#callAt).trim() === '';
      if (!follows) this.#show(written);
    } else if (OPEN_THOUGHTS.includes(tag)) {
      if (this.#quoting.takeMention(true)) this.#show(written);
      else this.#startThought(written);
    } else if (CLOSE_THOUGHTS.includes(tag)) {
      if (this.#quoting.takeMention(false)) this.#show(written);
      else this.#takeClose(written);
    } else if (this.#quoting.isCode) this.#show(written);
    else if (tag === OPEN_RESPONSE && this.#drafts.length > 0 && !this.#quoting.isQuoted) this.#isOver = true;
    else {
      this.#inResponse = tag === OPEN_RESPONSE;
      this.#show(written);
    }
  }

  #openCall(written: string): void {
    if (!this.#inResponse && !this.#quoting.isQuoted) this.#call = new OpenCall();
    else {
      this.#passedOver += 1;
      this.#show(written);
    }
  }

  #takeInCall(call: OpenCall, char: string): void {
    const step = call.take(char);
    if (step === 'goes_on') return;
    const isClosed = step === 'ended';
    this.#call = null;
    if (call.isMention) this.#show(OPEN_CALL + call.body + (isClosed ? CLOSE_CALL : ''));
    else this.#draft(readCallBody(call.body, isClosed));
    if (!isClosed) this.#openCall(OPEN_CALL);
  }

  /** After a call that cannot be read nobody knows what is still inside of it: a file's text that it was to write, say. */
  #draft(drafts: readonly CallDraft[]): void {
    const isLost = this.#drafts.some(({ read }) => read === 'unreadable' || read === 'cut');
    this.#drafts.push(...(isLost ? drafts.map((draft) => refusedAs('after_broken', draft)) : drafts));
    this.#callAt = this.#text.length;
  }

  #startThought(tag: string): void {
    this.#thought = tag;
    this.#thoughtTail = '';
  }

  #takeInThought(thoughtBefore: string, char: string): void {
    const thought = thoughtBefore + char;
    this.#thought = thought;
    this.#thoughtTail = (this.#thoughtTail + char).slice(-LONGEST_TAG).toLowerCase();
    if (char !== '>' || !CLOSE_THOUGHTS.some((tag) => this.#thoughtTail.endsWith(tag))) return;
    this.#passedOver += countCalls(thought);
    this.#onThought(untagged(thought));
    this.#thought = null;
  }

  #show(shown: string): void {
    for (const char of shown) {
      if (this.#close !== null) {
        if (char === ' ' || char === '\t') {
          this.#close += char;
          continue;
        }
        this.#settleClose(char === '\n' || char === '\r');
      }
      if (this.#text !== '' || char.trim() !== '') this.#text += char;
      this.#quoting.push(char);
    }
  }

  /** In code it may be a mention still, after which calls stand. */
  #takeClose(written: string): void {
    if (!this.#quoting.isCode) this.#forgetCalls();
    this.#close = written;
  }

  #settleClose(isLineEnd: boolean): void {
    const close = this.#close ?? '';
    this.#close = null;
    if (isLineEnd && /(?:^|\n)[ \t]*$/.test(this.#text)) {
      this.#forgetCalls();
      this.#onThought(this.#text);
      this.#text = '';
      this.#quoting = new Quoting();
    } else this.#show(close);
  }

  /** What came before the end of the thinking was thought, not asked for. */
  #forgetCalls(): void {
    this.#passedOver += this.#drafts.length;
    this.#drafts = [];
    this.#callAt = -1;
  }

  #endPending(isWhole: boolean): void {
    const rest = this.#pending;
    this.#pending = '';
    const isQuoted = this.#inResponse || this.#quoting.isQuoted;
    if (rest.toLowerCase().startsWith(SURE_BEGINNING) && !isQuoted) this.#draft([refused('cut', rest)]);
    else if (isWhole) this.#show(rest);
  }

  #endOpenCall(call: OpenCall, isWhole: boolean): void {
    call.endOfAnswer();
    if (isWhole && call.isMention) this.#show(OPEN_CALL + call.body);
    // Servers that stop at the closing tag leave it out.
    else this.#draft(readCallBody(call.body, false));
  }

  #endThought(thought: string, isWhole: boolean): void {
    this.#passedOver += countCalls(thought);
    if (isWhole && this.#text.trim() !== '') this.#show(thought);
    else this.#onThought(untagged(thought));
  }
}

function refusedAs(read: RefusedDraft['read'], { name, raw }: CallDraft): RefusedDraft {
  return { read, name, raw };
}

function countCalls(thought: string): number {
  return thought.split(OPEN_CALL).length - 1;
}

function untagged(thought: string): string {
  return thought.replace(/^<think(?:ing)?>|<\/think(?:ing)?>$/gi, '');
}
