import type { Capabilities, ToolWay } from '../core/capabilities';
import type { EndpointSettings } from '../core/endpoint-settings';
import type { ModelMessage, ModelRequest } from '../core/model';
import { refusesParameter } from './map-error';
import type { ChatBody } from './openai-client';
import { SchemaDialect } from './structured/schema-dialect';
import type { NativeMessage } from './tools/history';
import { ToolDialect } from './tools/tool-dialect';

export type Asked = Pick<ModelRequest, 'messages' | 'temperature' | 'maxTokens' | 'schema' | 'tools' | 'turns'>;

/** What is known of the server, as far as it decides in what form a question is put. */
export interface KnownForms {
  readonly capabilities?: Pick<Capabilities, 'schema' | 'tools' | 'streaming'>;
  readonly settings?: Pick<EndpointSettings, 'tools'>;
}

/**
 * Puts a question with a schema or with tools in the form that this server understands. What it refuses is put another way,
 * for as long as the model is open.
 */
export class QuestionForm {
  readonly #schema: SchemaDialect;
  readonly #tools: ToolDialect;
  #isWhole: boolean;
  readonly #isBuffered: boolean;

  constructor({ capabilities, settings }: KnownForms) {
    const wanted = settings?.tools ?? 'auto';
    this.#schema = new SchemaDialect(capabilities?.schema ?? null);
    this.#tools = new ToolDialect(wanted === 'auto' ? (capabilities?.tools ?? null) : wanted);
    this.#isWhole = capabilities?.streaming === 'whole';
    this.#isBuffered = capabilities?.streaming === 'buffered';
  }

  /** The answer comes at its end only: nothing can be told of how it goes until then. */
  get comesAtOnce(): boolean {
    return this.#isWhole || this.#isBuffered;
  }

  /** How the answer's calls are to be read; null where none are expected. */
  callsWay({ tools = [] }: Pick<ModelRequest, 'tools'>): ToolWay | null {
    return tools.length === 0 ? null : this.#tools.way;
  }

  shaped(body: ChatBody, { schema, tools = [], turns = [] }: Asked): ChatBody {
    const told = tools.length === 0 ? null : this.#tools.told(tools, turns);
    const format = schema === undefined ? null : this.#schema.responseFormat(schema);
    const words = [told?.words ?? null, schema === undefined ? null : this.#schema.words(schema)];
    const { stream_options: streamOptions, ...rest } = body;
    return {
      ...rest,
      ...(this.#isWhole ? { stream: false as const } : streamOptions && { stream_options: streamOptions }),
      messages: [...withWords(body.messages, words), ...(told?.turns ?? [])],
      ...told?.fields,
      ...(format === null ? {} : { response_format: format }),
    };
  }

  /** True when the refusal taught something, so that asking again makes sense. */
  learn(refusal: unknown, { schema, tools = [] }: Asked): boolean {
    if (!this.#isWhole && refusesStreaming(refusal)) {
      this.#isWhole = true;
      return true;
    }
    if (tools.length > 0 && this.#tools.learn(refusal)) return true;
    return schema !== undefined && this.#schema.learn(refusal, schema);
  }
}

function refusesStreaming(refusal: unknown): boolean {
  const isNamed = refusesParameter(refusal, 'stream') || refusesParameter(refusal, 'streaming');
  return isNamed && !refusesParameter(refusal, 'stream_options');
}

/** Words that hold for the whole conversation stand in its first message, where the prefix is shared. */
function withWords(messages: readonly NativeMessage[], words: readonly (string | null)[]): readonly NativeMessage[] {
  const said = words.flatMap((each) => each ?? []);
  if (said.length === 0) return messages;
  const [first, ...rest] = messages;
  const system: ModelMessage =
    first?.role === 'system'
      ? { role: 'system', content: [first.content, ...said].join('\n\n') }
      : { role: 'system', content: said.join('\n\n') };
  return first?.role === 'system' ? [system, ...rest] : [system, ...messages];
}
