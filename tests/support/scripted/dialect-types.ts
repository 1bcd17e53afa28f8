import type { Behaviour, ListedModel, ModelServerOptions, ServedRequest } from '../model-server-types';
import type { KeptStreams } from './kept-streams.mjs';

/** What a dialect knows of the server that speaks it. */
export interface DialectWorld {
  readonly options: ModelServerOptions;
  /** Names of the models, the first of which is loaded. */
  readonly names: readonly string[];
  /** Path before `/chat/completions`. */
  readonly basePath: string;
  /** Options, where given, before what the server has as it comes. */
  readonly contextTokens: number;
  readonly slots: number;
  /** Chats that are being answered. */
  readonly busy: number;
  /** Streams that are kept for whoever comes back. */
  readonly kept: KeptStreams;
}

/** Prompt, wish and window of a chat that does not fit. */
export interface Overflow {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly contextTokens: number;
}

export interface Dialect {
  readonly contextTokens: number;
  readonly slots: number;
  /** A chat without the two fields, whose last message is the assistant's, is gone on with. */
  readonly prefills: boolean;
  /** It knows `continue_final_message`. */
  readonly continues: boolean;
  /** A stream that its request names goes on without a reader, and is found again. */
  readonly keepsStreams?: boolean;
  readonly tools: 'native' | 'text' | 'refused';
  /** CORS headers of an answer to a page of that origin; null when it gets none. */
  readonly cors: (origin: string, world: DialectWorld) => Record<string, string> | null;
  /** What a refused origin gets in place of an answer; absent: the answer, which the page cannot read. */
  readonly refuseOrigin?: () => Behaviour;
  readonly models: (world: DialectWorld) => readonly ListedModel[];
  /** What is asked before anything else, such as a model that is still loading. */
  readonly gate?: (world: DialectWorld, request: ServedRequest) => Behaviour | null;
  readonly refuseKey: () => Behaviour;
  /** Paths that are answered without the key. */
  readonly isOpen: (path: string, world: DialectWorld) => boolean;
  readonly route: (world: DialectWorld, request: ServedRequest) => Behaviour | null;
  readonly notFound: () => Behaviour;
  /** Null: any name is taken for the model that is loaded. */
  readonly refuseModel: ((model: string) => Behaviour) | null;
  /** Null: the prompt is cut, and nothing said. */
  readonly refuseOverflow: ((overflow: Overflow) => Behaviour) | null;
  readonly refuseTools: () => Behaviour;
  /** Fields of every chunk. */
  readonly head: Record<string, unknown>;
}
