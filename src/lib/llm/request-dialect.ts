import { DEFAULT_ENDPOINT_SETTINGS, type AnswerShape } from '../core/endpoint-settings';
import type { ModelRequest } from '../core/model';
import { refusesParameter } from './map-error';
import type { ChatBody } from './openai-client';

/** One question, with what the person set that shapes its answer. @default shape nothing set */
export interface Question extends Pick<ModelRequest, 'messages' | 'temperature' | 'maxTokens'> {
  readonly shape?: AnswerShape;
}

/**
 * The parameters that this server takes. Everything is sent until the server refuses it by name; then it is left out,
 * or named as the server wants it, for as long as the model is open. What the person set is never left out. Where two name the same parameter,
 * what Talaria sets itself goes before their sampling, that before what the task asks for, and that before their fields.
 */
export class RequestDialect {
  #usage = true;
  #temperature = true;
  #progress: 'not_known' | 'wanted' | 'refused' = 'not_known';
  #limitName: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';

  body(model: string, { messages, temperature, maxTokens, shape = DEFAULT_ENDPOINT_SETTINGS }: Question): ChatBody {
    const { sampling, body } = shape;
    return {
      model,
      messages,
      ...(Object.keys(body).length > 0 ? { extra: body } : {}),
      ...(this.#temperature || sampling.temperature !== null
        ? { temperature: sampling.temperature ?? temperature }
        : {}),
      ...(sampling.topP === null ? {} : { top_p: sampling.topP }),
      ...(sampling.seed === null ? {} : { seed: sampling.seed }),
      [this.#limitName]: maxTokens,
      ...(this.#usage ? { stream_options: { include_usage: true as const } } : {}),
      ...(this.#progress === 'wanted' ? { return_progress: true as const } : {}),
    };
  }

  /** The server is of the kind that can tell how far it has read a prompt. Others are not sent what they may refuse. */
  wantProgress(): void {
    if (this.#progress === 'not_known') this.#progress = 'wanted';
  }

  /** True when the refusal taught something, so that asking again makes sense. `sent` is what was refused. */
  learn(
    refusal: unknown,
    sent: ChatBody,
    { shape = DEFAULT_ENDPOINT_SETTINGS }: Pick<Question, 'shape'> = {},
  ): boolean {
    if (sent.stream_options && refusesParameter(refusal, 'stream_options')) {
      this.#usage = false;
      return true;
    }
    if (sent.return_progress && refusesParameter(refusal, 'return_progress')) {
      this.#progress = 'refused';
      return true;
    }
    if (sent.max_tokens !== undefined && refusesParameter(refusal, 'max_completion_tokens')) {
      this.#limitName = 'max_completion_tokens';
      return true;
    }
    const isOurs = sent.temperature !== undefined && shape.sampling.temperature === null;
    if (isOurs && refusesParameter(refusal, 'temperature')) {
      this.#temperature = false;
      return true;
    }
    return false;
  }
}
