import type { ModelRequest } from '../core/model';
import { refusesParameter } from './map-error';
import type { ChatBody } from './openai-client';

/**
 * The parameters that this server takes. Everything is sent until the server refuses it by name; then it is left out,
 * or named as the server wants it, for as long as the model is open.
 */
export class RequestDialect {
  #usage = true;
  #temperature = true;
  #progress: 'not_known' | 'wanted' | 'refused' = 'not_known';
  #limitName: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';

  body(model: string, request: Pick<ModelRequest, 'messages' | 'temperature' | 'maxTokens'>): ChatBody {
    return {
      model,
      messages: request.messages,
      ...(this.#temperature ? { temperature: request.temperature } : {}),
      [this.#limitName]: request.maxTokens,
      ...(this.#usage ? { stream_options: { include_usage: true as const } } : {}),
      ...(this.#progress === 'wanted' ? { return_progress: true as const } : {}),
    };
  }

  /** The server is of the kind that can tell how far it has read a prompt. Others are not sent what they may refuse. */
  wantProgress(): void {
    if (this.#progress === 'not_known') this.#progress = 'wanted';
  }

  /** True when the refusal taught something, so that asking again makes sense. `sent` is what was refused. */
  learn(refusal: unknown, sent: ChatBody): boolean {
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
    if (sent.temperature !== undefined && refusesParameter(refusal, 'temperature')) {
      this.#temperature = false;
      return true;
    }
    return false;
  }
}
