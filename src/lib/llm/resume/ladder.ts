import type { ModelRequest } from '../../core/model';
import type { Begun, StreamPlace } from '../../core/partial';
import type { StreamNaming } from '../../core/ports';
import type { AnswerRead } from '../answer-reader';
import type { AskedHow } from '../ask-model';
import type { ClockCode } from '../clocks';
import type { EndpointClient } from '../openai-client';
import { continuable, continuedQuestion } from './continued-request';
import { FROM_NOTHING, NOTHING_BEGUN, type Start } from './gathered';
import { isRefusal, KeptStreams, STREAM_HEADER } from './kept-streams';
import { streamName } from './stream-name';
import type { KnownWays, ResumeWays } from './ways';

/** A stream of the answer, and what is known of it as it begins. */
export interface Opened {
  readonly response: Response;
  readonly start: Start;
}

interface LadderOptions {
  readonly request: ModelRequest;
  readonly begun: Begun | null;
  readonly naming: StreamNaming | null;
  readonly baseUrl: string;
  /** What was found out of the server; null for nothing. */
  readonly found: ResumeWays | null;
  readonly ways: KnownWays;
  readonly client: EndpointClient;
  readonly ask: (how: AskedHow, signal: AbortSignal) => Promise<Response>;
  /** Whether a refusal speaks against the length of this one request alone. */
  readonly isOverflow: (error: unknown) => boolean;
}

/** A stream that may still be there, and what is known of the answer where it is to be read on. */
interface Candidate {
  readonly id: string;
  readonly kept: Begun;
  readonly comesAgain?: string;
}

/**
 * The ways to an answer, from the one that costs least: its stream taken up again, its text continued, all of it asked
 * for. Each is tried once; what does not come of one falls to the next.
 */
export class ResumeLadder {
  readonly #options: LadderOptions;
  readonly #ways: ResumeWays;
  readonly #streams: KeptStreams | null;
  #begun: Begun | null;
  #found: ReadonlyMap<string, number> | null = null;
  #candidates: Candidate[] = [];
  #mayContinue = true;
  #opened: Start = FROM_NOTHING;
  #streamId: string | null = null;
  /** A stream whose answer is of no use: without a reader the server would write it to its end. */
  #uselessId: string | null = null;

  constructor(options: LadderOptions) {
    this.#options = options;
    this.#begun = options.begun && leftAt(options.baseUrl, options.begun);
    this.#ways = options.ways.for(options.found, this.#begun);
    const { reattaching } = this.#ways;
    this.#streams = reattaching === null ? null : new KeptStreams(options.client, reattaching);
  }

  /** Lets the server end the stream that was opened last, as far as it can be told to. */
  async stop(signal: AbortSignal): Promise<void> {
    if (this.#streamId !== null) await this.#streams?.stop(this.#streamId, signal);
  }

  /** Rejects as the client does. */
  async open(signal: AbortSignal): Promise<Opened> {
    const uselessId = this.#uselessId;
    this.#uselessId = null;
    if (uselessId !== null) await this.#streams?.stop(uselessId, signal);
    const response = (await this.#takenUp(signal)) ?? (await this.#continued(signal)) ?? (await this.#asked(signal));
    return { response, start: this.#opened };
  }

  /** Whether there is another way to an answer that came to this. `expired`: a clock cut it off, on this side. */
  falls(read: AnswerRead, expired: ClockCode | null): boolean {
    const { how, kept } = this.#opened;
    const { ending, begun } = read;
    const isLate = expired === 'idle_timeout' || expired === 'first_token_timeout';
    if (isLate && begun.stream) this.#options.ways.stuck.ranOut(begun.stream.id, begun.tokens);
    if (how === 'asked' || expired !== null || ending.how === 'broken') return false;
    if (ending.how === 'finished') return broughtNothing(read, textBefore(this.#opened));
    if (ending.how === 'unfit' && ending.why !== 'other_stream') this.#uselessId = this.#streamId;
    if (ending.how === 'unfit' && ending.why === 'restarted') this.#doesNotContinue();
    if (how === 'reattached') {
      const { stream } = kept;
      const isLost = ending.how === 'unfit' && ending.why === 'other_stream';
      const isEmpty = ending.how === 'ended' && read.begun.stream?.offset === stream?.offset;
      // From its beginning it may be as good as ever, being counted otherwise.
      if (stream?.last && (isLost || isEmpty)) this.#candidates.unshift(fromTheBeginning(stream, kept));
      else if (ending.how !== 'unfit') this.#begun = longer(read.begun, this.#begun);
      else this.#candidates = this.#candidates.filter(({ id }) => id !== stream?.id);
      return true;
    }
    return ending.how === 'unfit' || broughtNothing(read, textBefore(this.#opened));
  }

  #doesNotContinue(): void {
    this.#mayContinue = false;
    this.#options.ways.doesNotContinue();
  }

  /** An earlier try's stream, which may go on or have come to its end meanwhile; null when none is there. */
  async #takenUp(signal: AbortSignal): Promise<Response | null> {
    const { naming } = this.#options;
    const streams = this.#streams;
    if (!streams || !naming) return null;
    if (this.#found === null) {
      const candidates = await this.#withoutStuck(this.#mayRun(naming), streams, signal);
      const ids = candidates.map(({ id }) => id);
      this.#found = ids.length > 0 ? await streams.find([...new Set(ids)], signal) : new Map();
      const found = this.#found;
      this.#candidates = candidates.filter(({ id }) => found.has(id));
    }
    for (let next = this.#candidates.shift(); next; next = this.#candidates.shift()) {
      const response = await streams.open(next.id, next.kept.stream?.last?.from ?? 0, signal);
      if (response === null) continue;
      this.#streamId = next.id;
      const { id, ...known } = next;
      this.#opened = { how: 'reattached', foundBytes: this.#found.get(id) ?? 0, ...known };
      return response;
    }
    return null;
  }

  /** One that does not go on holds a place at the server for nothing, and would be waited for by every try. */
  async #withoutStuck(
    candidates: readonly Candidate[],
    streams: KeptStreams,
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const { stuck } = this.#options.ways;
    const ids = new Set(candidates.map(({ id }) => id).filter((id) => stuck.has(id)));
    await Promise.all([...ids].map((id) => streams.stop(id, signal)));
    return candidates.filter(({ id }) => !ids.has(id));
  }

  /** The one that was read last, then those that a try which was never written down may have left. */
  #mayRun({ left }: StreamNaming): Candidate[] {
    const begun = this.#begun;
    const candidates: Candidate[] = [];
    // Calls that a server tells apart are not in the kept text: only from its beginning does their stream say all of them.
    const isWhole = !this.#options.request.tools?.length;
    if (begun?.stream)
      candidates.push(isWhole ? { id: begun.stream.id, kept: begun } : fromTheBeginning(begun.stream, begun));
    const read = begun && continuable(begun);
    for (const id of left) {
      for (const kept of [read, NOTHING_BEGUN]) {
        if (kept) candidates.push(this.#named(streamName(id, kept === NOTHING_BEGUN ? null : kept), kept));
      }
    }
    return candidates;
  }

  #named(id: string, kept: Begun): Candidate {
    return { id, kept: { ...kept, stream: this.#newPlace(id, kept) } };
  }

  async #continued(signal: AbortSignal): Promise<Response | null> {
    const { request, ask, naming, isOverflow } = this.#options;
    const way = this.#mayContinue ? this.#ways.continuing : null;
    this.#mayContinue = false;
    const kept = this.#begun && continuable(this.#begun);
    // A grammar begins anew with every request, and calls that a server tells apart are no text to go on with.
    const isPlain = !request.schema && !request.tools?.length && !request.turns?.length;
    if (way === null || kept === null || !isPlain) return null;
    const named = way !== 'completions' && naming ? this.#named(streamName(naming.id, kept), kept) : null;
    try {
      const continued = continuedQuestion(way, request, kept);
      return await this.#sent('continued', kept, named, (headers) => ask({ headers, continued }, signal));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!isOverflow(error)) this.#doesNotContinue();
      return null;
    }
  }

  #asked(signal: AbortSignal): Promise<Response> {
    const { naming, ask } = this.#options;
    const named = naming ? this.#named(naming.id, NOTHING_BEGUN) : null;
    return this.#sent('asked', NOTHING_BEGUN, named, (headers) => ask({ headers }, signal));
  }

  /** A name is told only to a server that keeps streams: another may refuse the header. */
  async #sent(
    how: Start['how'],
    kept: Begun,
    named: Candidate | null,
    send: (headers: Record<string, string>) => Promise<Response>,
  ): Promise<Response> {
    const isKept = named !== null && this.#streams !== null;
    this.#streamId = isKept ? named.id : null;
    this.#opened = { how, kept: isKept ? named.kept : kept, foundBytes: 0 };
    return send(isKept ? { [STREAM_HEADER]: named.id } : {});
  }

  #newPlace(id: string, kept: Begun): StreamPlace {
    const before = { characters: kept.content.length, tokens: kept.tokens };
    return { baseUrl: this.#options.baseUrl, id, offset: 0, last: null, before };
  }
}

/** A stream of another address is not to be found at this one, nor does it say what this server can do. */
function leftAt(baseUrl: string, begun: Begun): Begun {
  return begun.stream === null || begun.stream.baseUrl === baseUrl ? begun : { ...begun, stream: null };
}

function fromTheBeginning(stream: StreamPlace, kept: Begun): Candidate {
  const { characters, tokens } = stream.before;
  const place = { ...stream, offset: 0, last: null };
  const begun = { ...kept, content: kept.content.slice(0, characters), reasoning: '', tokens, stream: place };
  return { id: stream.id, kept: begun, comesAgain: kept.content.slice(characters) };
}

/** What a stream that was asked to go on with a text goes on from; empty for one that was asked for the whole answer. */
function textBefore({ how, kept }: Start): string {
  return how === 'continued' ? kept.content : kept.content.slice(0, kept.stream?.before.characters ?? 0);
}

/**
 * Nothing came to a text that was to be gone on with. It was an error, or the server closed the answer where it was cut,
 * having no room for more: that does not make it a whole one. What its own limit ended is as long as it can be.
 */
function broughtNothing({ written, refusal, finishReason }: AnswerRead, before: string): boolean {
  const isEnd = finishReason === null || finishReason === 'stop';
  return before !== '' && isEnd && refusal === '' && written.trimEnd() === before.trimEnd();
}

function longer(a: Begun, b: Begun | null): Begun {
  return b === null || a.tokens >= b.tokens ? a : b;
}
