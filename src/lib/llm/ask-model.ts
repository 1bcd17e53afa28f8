import type { ChatBody, EndpointClient } from './openai-client';
import { QuestionForm, type Asked } from './question-form';
import type { Question, RequestDialect } from './request-dialect';

/**
 * Sends one question. It is sent again only when the server refused a parameter by name, without that parameter,
 * or a form that the question was put in, in another. Rejects as the client does.
 */
export async function askModel(
  client: EndpointClient,
  dialect: RequestDialect,
  model: string,
  question: Question & Asked,
  signal: AbortSignal,
  form = new QuestionForm({}),
): Promise<Response> {
  for (;;) {
    const body: ChatBody = form.shaped(dialect.body(model, question), question);
    try {
      return await client.chat(body, signal);
    } catch (error) {
      if (signal.aborted || !(dialect.learn(error, body, question) || form.learn(error, question))) throw error;
    }
  }
}
