import type { ToolWay } from '../../core/capabilities';
import type { Recognised } from './recognise';
import type { ProbeContext } from './probe-context';
import { askSmall } from './server-calls';

const TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** How the model is given tools: seen to be called in fields, or else in Hermes' text, which any server passes on. */
export async function probeTools(
  context: ProbeContext,
  known: Pick<Recognised, 'templateTools'>,
  limitMs: number,
): Promise<ToolWay | null> {
  if (known.templateTools === false) return 'hermes';
  const messages = [{ role: 'user' as const, content: 'Use the tool to tell me the weather in Paris.' }];
  const answer = await askSmall(context, { messages, maxTokens: 64, tools: [TOOL] }, limitMs);
  if (answer === null) return known.templateTools === true ? 'native' : null;
  if (answer === 'refused') return 'hermes';
  if (answer.calls > 0) return 'native';
  if (answer.text.includes('<tool_call>')) return 'hermes';
  // A model may choose not to call; its template says that it can.
  return known.templateTools === true ? 'native' : null;
}
