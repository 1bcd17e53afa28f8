import { ok, type Result } from '../core/result';
import { NO_TIMEOUTS, type Completion, type EarlierTimeouts, type ModelRequest } from '../core/model';
import type { CompleteOptions, Model } from '../core/ports';

export interface ScriptedCall {
  readonly request: ModelRequest;
  /** The text asked about, or the texts to merge joined. */
  readonly matter: string;
  readonly earlier: EarlierTimeouts;
}

type Script = (call: ScriptedCall, nth: number) => Result<Completion> | Promise<Result<Completion>>;

/** A model that answers by script and remembers what it was asked. */
export class ScriptedModel implements Model {
  identity = 'openai/scripted';
  contextTokens: number | null = null;
  source = 'here';
  tokenRatio: number | null = null;
  readonly calls: ScriptedCall[] = [];
  isReachable: () => Result<void> = () => ok();
  inFlight = 0;
  mostInFlight = 0;
  #script: Script;

  constructor(script: Script = ({ matter }) => answer(`About: ${matter.slice(0, 60)}`)) {
    this.#script = script;
  }

  script(script: Script): void {
    this.#script = script;
  }

  async complete(
    request: ModelRequest,
    { signal, onText, earlier = NO_TIMEOUTS }: CompleteOptions,
  ): Promise<Result<Completion>> {
    const call = { request, matter: matterOf(request), earlier };
    this.calls.push(call);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    const over = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      const leave = () => reject(new DOMException('Aborted', 'AbortError'));
      signal.addEventListener('abort', leave, { once: true, signal: over.signal });
    });
    try {
      const answered = await Promise.race([Promise.resolve(this.#script(call, this.calls.length)), aborted]);
      // One word first: an answer that is not blank comes in pieces.
      if (answered.ok) onText?.(answered.value.text.slice(0, 1));
      signal.throwIfAborted();
      return answered;
    } finally {
      over.abort();
      this.inFlight -= 1;
    }
  }

  probe(): Promise<Result<void>> {
    return Promise.resolve(this.isReachable());
  }

  /** How often each file's text was asked about. */
  askedAbout(matter: string): number {
    return this.calls.filter((call) => call.matter === matter).length;
  }

  get fileCalls(): readonly ScriptedCall[] {
    return this.calls.filter(({ request }) => request.material.what === 'file');
  }
}

function matterOf({ material }: ModelRequest): string {
  return 'text' in material ? material.text : material.texts.join('\n');
}

export function answer(text: string, finishReason: Completion['finishReason'] = 'stop'): Result<Completion> {
  const usage = { promptTokens: 10, completionTokens: 5, estimated: false };
  return ok({ text, finishReason, usage, model: 'scripted', firstTokenMs: 1, durationMs: 2 });
}
