import type { RefusedToolCall, ToolCallOutcome, ToolSpec } from './tool';

/** What a model is told of a call that was not run, so that it can write it again. */
export function answerRefused(refused: RefusedToolCall, specs: readonly ToolSpec[]): ToolCallOutcome {
  return { callId: refused.id, name: refused.name, isError: true, content: reasonFor(refused, specs) };
}

/**
 * What a model is told when all its calls stood in code, quotes or thinking; null when that was not so, or when it was told
 * so before in this place: then its answer is meant as it stands.
 */
export function answerPassedOver(passedOver: number, calls: number, wasTold: boolean): string | null {
  if (passedOver === 0 || calls > 0 || wasTold) return null;
  return (
    'Nothing was run: the tool calls in your answer stand in thinking, code, quotes or a response. If they were meant, ' +
    'write each <tool_call> on a line of its own after an empty line, outside of all of these. If not, go on without them.'
  );
}

function reasonFor({ refusal, name, why }: RefusedToolCall, specs: readonly ToolSpec[]): string {
  const which = name === null ? 'a tool' : JSON.stringify(name.slice(0, 100));
  switch (refusal) {
    case 'cut':
      return `Not run: your call of ${which} was cut off before its end. Write it again, whole and shorter.`;
    case 'unreadable':
      return (
        `Not run: your call of ${which} is not valid JSON. Write it again as one object ` +
        '{"name": <function-name>, "arguments": <args-dict>}, with quotes and line breaks in texts escaped.'
      );
    case 'after_broken':
      return `Not run: your call of ${which} follows one that could not be read. Write it again after that one.`;
    case 'nameless':
      return `Not run: your call names no tool. ${toolsThere(specs)}`;
    case 'bad_arguments':
      return `Not run: the arguments of your call of ${which} do not fit: ${why ?? ''} Write it again with arguments that do.`;
    case 'unknown_tool':
      return `Not run: there is no tool named ${which}. ${toolsThere(specs)}`;
  }
}

function toolsThere(specs: readonly ToolSpec[]): string {
  if (specs.length === 0) return 'There are no tools.';
  return `The tools are: ${specs.map(({ name }) => name).join(', ')}.`;
}
