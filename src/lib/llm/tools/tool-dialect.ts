import type { ToolWay } from '../../core/capabilities';
import type { ModelMessage } from '../../core/model';
import type { ToolSpec, ToolTurn } from '../../core/tool';
import { ErrorAnswer } from '../answer-errors';
import { NO_TOOLS } from '../server-wordings';
import { hermesPrompt, nativeTools } from './hermes-prompt';
import { HERMES_STOPS } from './hermes-tags';
import { hermesTurn, nativeTurn, type NativeMessage } from './history';

interface Told {
  readonly words: string | null;
  readonly turns: readonly NativeMessage[];
  readonly fields: {
    readonly tools?: ReturnType<typeof nativeTools>;
    readonly stop?: readonly string[];
  };
}

/** How this server is told of tools: in its own fields until it refuses them, else in Hermes' text. */
export class ToolDialect {
  #way: ToolWay;

  /** Null: not found out, so that the server's own fields are tried. */
  constructor(found: ToolWay | null) {
    this.#way = found ?? 'native';
  }

  get way(): ToolWay {
    return this.#way;
  }

  told(specs: readonly ToolSpec[], turns: readonly ToolTurn[]): Told {
    if (this.#way === 'native') {
      return { words: null, turns: turns.flatMap(nativeTurn), fields: { tools: nativeTools(specs) } };
    }
    const said: readonly ModelMessage[] = turns.flatMap(hermesTurn);
    return { words: hermesPrompt(specs), turns: said, fields: { stop: HERMES_STOPS } };
  }

  /** True when the server knows no tools, so that asking again in text makes sense. */
  learn(refusal: unknown): boolean {
    if (this.#way === 'hermes' || !(refusal instanceof ErrorAnswer)) return false;
    if (refusal.status < 400 || refusal.status === 401 || !NO_TOOLS.test(refusal.bodyText.toLowerCase())) return false;
    this.#way = 'hermes';
    return true;
  }
}
