import type { ModelMessage } from '../../core/model';
import type { JsonObject } from '../../core/json-value';
import type { ToolCallId, ToolCallOutcome, ToolTurn, TurnCall } from '../../core/tool';
import { CLOSE_CALL, CLOSE_RESPONSE, OPEN_CALL, OPEN_RESPONSE, tagFreeJson } from './hermes-tags';

/** A message as a server that knows tools takes it. */
export type NativeMessage =
  | ModelMessage
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls: readonly {
        readonly id: ToolCallId;
        readonly type: 'function';
        /** `arguments` is one JSON text of an object. */
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: ToolCallId; readonly content: string };

interface Told {
  readonly id: ToolCallId;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Names that no server refuses. */
const SENDABLE_NAME = /^[\w.-]{1,64}$/;
/** Stands for a turn of which nothing can be shown again: servers refuse answers without content. */
const NOTHING_LEFT = '(A tool call that could not be read.)';

/**
 * A turn for a server that knows tools: the calls, then an answer to each, in their order. Calls that could not be read are
 * not among them, since servers refuse what is broken on the next request; what is said of them follows as the user's words.
 */
export function nativeTurn(turn: ToolTurn): readonly NativeMessage[] {
  const told = readable(turn.calls);
  const answers = told.map(({ id }) => {
    return { role: 'tool' as const, tool_call_id: id, content: contentFor(turn.outcomes, id) };
  });
  const notices = [...outcomesBut(turn.outcomes, told).map(({ content }) => content), ...noticeOf(turn)];
  return [
    told.length === 0
      ? { role: 'assistant', content: turn.text || NOTHING_LEFT }
      : { role: 'assistant', content: turn.text || null, tool_calls: told.map(nativeCall) },
    ...answers,
    ...(notices.length === 0 ? [] : [{ role: 'user' as const, content: notices.join('\n') }]),
  ];
}

/** A turn for a server that knows nothing of tools: calls and answers in tags. Nothing quoted in them can close a tag. */
export function hermesTurn(turn: ToolTurn): readonly ModelMessage[] {
  const told = readable(turn.calls);
  const said = [turn.text, ...told.map(printCall)].filter((part) => part !== '').join('\n');
  const answers = turn.calls.flatMap((call) => {
    const id = call.runs ? call.call.id : call.refused.id;
    const outcome = turn.outcomes.find(({ callId }) => callId === id);
    return [printOutcome(outcome ?? missing(id))];
  });
  const heard = [...answers, ...noticeOf(turn)];
  return [
    { role: 'assistant', content: said || NOTHING_LEFT },
    ...(heard.length === 0 ? [] : [{ role: 'user' as const, content: heard.join('\n') }]),
  ];
}

/** A call as Hermes writes it: reading it gives the call again. */
export function printCall({ name, arguments: given }: Pick<Told, 'name' | 'arguments'>): string {
  return `${OPEN_CALL}\n${tagFreeJson({ name, arguments: given })}\n${CLOSE_CALL}`;
}

/** What became of a call, as Hermes expects it. */
export function printOutcome({ name, isError, content }: ToolCallOutcome): string {
  const told = { ...(name === null ? {} : { name }), ...(isError ? { error: content } : { content }) };
  return `${OPEN_RESPONSE}\n${tagFreeJson(told)}\n${CLOSE_RESPONSE}`;
}

function noticeOf({ notice }: ToolTurn): readonly string[] {
  return notice === undefined ? [] : [notice];
}

function readable(calls: readonly TurnCall[]): readonly Told[] {
  return calls.flatMap((call) => {
    if (call.runs) return [call.call];
    const { id, name, arguments: given } = call.refused;
    return name === null || given === null || !SENDABLE_NAME.test(name) ? [] : [{ id, name, arguments: given }];
  });
}

function nativeCall({ id, name, arguments: given }: Told) {
  return { id, type: 'function' as const, function: { name, arguments: JSON.stringify(given) } };
}

function outcomesBut(outcomes: readonly ToolCallOutcome[], told: readonly Told[]): readonly ToolCallOutcome[] {
  const ids = new Set(told.map(({ id }) => id));
  return outcomes.filter(({ callId }) => !ids.has(callId));
}

function contentFor(outcomes: readonly ToolCallOutcome[], id: ToolCallId): string {
  return (outcomes.find(({ callId }) => callId === id) ?? missing(id)).content;
}

function missing(id: ToolCallId): never {
  throw new Error(`no outcome for ${id}`);
}
