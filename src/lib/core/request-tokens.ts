import type { ModelRequest } from './model';

/** What a server, or Talaria in its place, says to a model of how to call, beside the tools themselves. */
const CALLING_TOKENS = 300;

/**
 * Tokens of everything that a request is made of, by an estimate of texts: messages, schema, tools, and the turns after
 * them. What a server adds around messages is not among them.
 */
export function requestTokens(
  { messages, schema, tools = [], turns = [] }: Pick<ModelRequest, 'messages' | 'schema' | 'tools' | 'turns'>,
  estimateTokens: (text: string) => number,
): number {
  const texts = [
    ...messages.map(({ content }) => content),
    // Servers that do not know schemas are told of it in words.
    ...(schema === undefined ? [] : [JSON.stringify(schema)]),
    ...tools.map((tool) => JSON.stringify(tool)),
    ...turns.flatMap(({ text, calls, outcomes }) => [
      text,
      ...calls.map((each) => (each.runs ? each.call.raw : each.refused.raw)),
      ...outcomes.map(({ content }) => content),
    ]),
  ];
  const calling = tools.length === 0 ? 0 : CALLING_TOKENS;
  return texts.reduce((sum, text) => sum + estimateTokens(text), calling);
}
