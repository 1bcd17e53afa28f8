import type { ToolWay } from '../core/capabilities';
import type { FinishReason } from '../core/model';
import type { ToolCallsRead } from '../core/tool';
import { ThinkFilter } from './think-filter';
import { Thoughts } from './thoughts';
import { HermesReader } from './tools/hermes-reader';
import { NativeCalls } from './tools/native-calls';

export interface AnswerEnd {
  readonly text: string;
  readonly thinking: string | null;
  /** Null where no call was expected, or none came. */
  readonly calls: ToolCallsRead | null;
}

/** What an answer is made of, told apart while it comes in: what is shown, what was thought, and what is called. */
export class AnswerText {
  readonly #thoughts = new Thoughts();
  readonly #filter: ThinkFilter | HermesReader;
  readonly #native: NativeCalls | null;

  /** Without a way no call is expected, and what looks like one is text. */
  constructor(calls: ToolWay | null) {
    const onThought = (thought: string) => this.#thoughts.addBlock(thought);
    this.#filter = calls === 'hermes' ? new HermesReader(onThought) : new ThinkFilter(onThought);
    this.#native = calls === 'native' ? new NativeCalls() : null;
  }

  /** What may be shown so far. */
  get text(): string {
    return this.#filter.text;
  }

  push(content: string): void {
    this.#filter.push(content);
  }

  pushReasoning(reasoning: string): void {
    this.#thoughts.add(reasoning);
  }

  pushCalls(toolCalls: unknown): void {
    this.#native?.push({ tool_calls: toolCalls });
  }

  end(finish: FinishReason | null): AnswerEnd {
    const ended = this.#endText(finish);
    const { text, calls } = ended;
    const isSilent = calls === null || (calls.drafts.length === 0 && calls.passedOver === 0);
    return { text, thinking: this.#thoughts.text, calls: isSilent ? null : calls };
  }

  #endText(finish: FinishReason | null): Omit<AnswerEnd, 'thinking'> {
    if (this.#filter instanceof HermesReader) {
      const { text, drafts, passedOver } = this.#filter.end(finish);
      return { text, calls: { drafts, passedOver } };
    }
    const text = this.#filter.end(finish !== 'length');
    return { text, calls: this.#native && { drafts: this.#native.end(finish), passedOver: 0 } };
  }
}
