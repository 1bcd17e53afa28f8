import { ErrorAnswer } from './answer-errors';
import type { ChatBody, EndpointClient } from './openai-client';
import { QuestionForm, type Asked } from './question-form';
import type { Question, RequestDialect } from './request-dialect';
import type { ContinuedQuestion } from './resume/continued-request';

/** With these a server refuses how it was asked; with others that it was asked at all, or now. */
const OF_THE_REQUEST = [400, 404, 422, 500, 501];

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
  const put = { ...question, ...continued?.question };
  const shaped = (): ChatBody => ({ ...form.shaped(dialect.body(model, put), put), ...continued?.fields });
  for (;;) {
    const body = shaped();
    try {
      const { messages: _, ...rest } = body;
      if (continued?.prompt) return await client.completions({ ...rest, prompt: continued.prompt, stop: STOP }, signal);
      return await client.chat(body, signal, headers);
    } catch (error) {
      if (signal.aborted) throw error;
      // Another request, out at the same time, may have been refused for the same: what it taught is not learned twice.
      if (isOfTheRequest(error) && JSON.stringify(shaped()) !== JSON.stringify(body)) continue;
      if (!(dialect.learn(error, body, question) || form.learn(error, question))) throw error;
    }
  }
}

function isOfTheRequest(error: unknown): boolean {
  return error instanceof ErrorAnswer && OF_THE_REQUEST.includes(error.status);
}
