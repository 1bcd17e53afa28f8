import type { ToolSpec } from '../../core/tool';
import { CLOSE_CALL, OPEN_CALL, tagFreeJson } from './hermes-tags';

const FORM = {
  properties: { name: { title: 'Name', type: 'string' }, arguments: { title: 'Arguments', type: 'object' } },
  required: ['name', 'arguments'],
  title: 'FunctionCall',
  type: 'object',
};

/**
 * The system prompt in the words that Hermes was trained on, one brace too many included, for servers that are not told of
 * the tools themselves.
 */
export function hermesPrompt(specs: readonly ToolSpec[]): string {
  return [
    'You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. ' +
      'You may call one or more functions to assist with the user query. ' +
      "Don't make assumptions about what values to plug into functions. " +
      `Here are the available tools: <tools> ${specs.map(signatureOf).join('\n')} </tools>` +
      `Use the following pydantic model json schema for each tool call you will make: ${tagFreeJson(FORM)}}`,
    'For each function call return a json object with function name and arguments within ' +
      `${OPEN_CALL}${CLOSE_CALL} XML tags as follows:`,
    OPEN_CALL,
    '{"name": <function-name>, "arguments": <args-dict>}',
    CLOSE_CALL,
  ].join('\n');
}

/** The `tools` field of a request, for servers that know tools. */
export function nativeTools(specs: readonly ToolSpec[]) {
  return specs.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
}

function signatureOf(spec: ToolSpec): string {
  return tagFreeJson(nativeTools([spec])[0]);
}
