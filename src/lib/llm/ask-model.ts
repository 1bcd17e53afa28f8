import type { ChatBody, EndpointClient } from './openai-client';
import type { Question, RequestDialect } from './request-dialect';

/**
 * Sends one question. It is sent again only when the server refused a parameter by name, without that parameter.
 * Rejects as the client does.
 */
export async function askModel(
  client: EndpointClient,
  dialect: RequestDialect,
  model: string,
  question: Question,
  signal: AbortSignal,
): Promise<Response> {
  for (;;) {
    const body: ChatBody = dialect.body(model, question);
    try {
      return await client.chat(body, signal);
    } catch (error) {
      if (signal.aborted || !dialect.learn(error, body, question)) throw error;
    }
  }
}
