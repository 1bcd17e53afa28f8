import type { ContinueWay, ReattachWay } from '../../core/capabilities';
import type { Begun } from '../../core/partial';
import { StuckStreams } from './stuck-streams';

/** How a server lets an answer be gone on with; null where it cannot, or nobody knows that it can. */
export interface ResumeWays {
  readonly continuing: ContinueWay | null;
  readonly reattaching: ReattachWay | null;
}

/** As llama.cpp does of itself, without being told to. */
const LLAMA_CPP: ResumeWays = { continuing: 'prefill', reattaching: null };
/** It kept a stream by its name before, so that nothing between it and this page refuses the header. */
const KEEPS_STREAMS: ResumeWays = { ...LLAMA_CPP, reattaching: 'query' };
const NONE: ResumeWays = { continuing: null, reattaching: null };

/**
 * What was found out of a server goes first. Where nothing was, only llama.cpp is known by its answers; other servers
 * are not tried out on a person's work. What failed once is not tried again while the model is open.
 */
export class KnownWays {
  readonly stuck = new StuckStreams();
  #isLlamaCpp = false;
  #mayContinue = true;

  /** It said what only llama.cpp says. */
  sawLlamaCpp(): void {
    this.#isLlamaCpp = true;
  }

  /** It refused to go on with an answer, or began anew. */
  doesNotContinue(): void {
    this.#mayContinue = false;
  }

  /** A kept stream can only be of a server that keeps them. */
  for(found: ResumeWays | null, begun: Begun | null): ResumeWays {
    const seen = begun?.stream ? KEEPS_STREAMS : this.#isLlamaCpp ? LLAMA_CPP : NONE;
    const { continuing, reattaching } = found ?? seen;
    return { continuing: this.#mayContinue ? continuing : null, reattaching };
  }
}
