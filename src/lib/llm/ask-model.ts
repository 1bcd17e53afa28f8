import type { ChatBody, EndpointClient } from './openai-client';
import { QuestionForm, type Asked } from './question-form';
import type { Question, RequestDialect } from './request-dialect';
import type { ContinuedQuestion } from './resume/continued-request';

export interface AskedHow {
  readonly headers?: Readonly<Record<string, string>>;
  readonly continued?: ContinuedQuestion | null;
}

/** In ChatML, what ends a message. */
const STOP = ['<|im_end|>'];

/**
 * Sends one question. It is sent again only when the server refused a parameter by name, without that parameter,
 * or a form that the question was put in, in another. Rejects as the client does. `how`: under which headers, and as
 * what continued answer.
 */
export async function askModel(
  client: EndpointClient,
  dialect: RequestDialect,
  model: string,
  question: Question & Asked,
  signal: AbortSignal,
  form = new QuestionForm({}),
  { headers = {}, continued = null }: AskedHow = {},
): Promise<Response> {
  for (;;) {
    const put = { ...question, ...continued?.question };
    const body: ChatBody = { ...form.shaped(dialect.body(model, put), put), ...continued?.fields };
    try {
      const { messages: _, ...rest } = body;
      if (continued?.prompt) return await client.completions({ ...rest, prompt: continued.prompt, stop: STOP }, signal);
      return await client.chat(body, signal, headers);
    } catch (error) {
      if (signal.aborted || !(dialect.learn(error, body, question) || form.learn(error, question))) throw error;
    }
  }
}
