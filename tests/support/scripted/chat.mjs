// One chat, as a server of a given kind answers it: continued or begun anew, held to a schema, calling a tool, cut.
import { promptTokens, tokensOf } from '../model-answers.mjs';

/** @import { Dialect, DialectWorld } from './dialect-types' */
/** @import { Behaviour, ServedRequest, StreamBehaviour } from '../model-server-types' */

const COUNTING = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20';
const COUNTING_WORDS = 'one, two, three, four, five, six, seven, eight, nine, ten';

/** @param {Dialect} dialect @param {DialectWorld} world @param {ServedRequest} request @param {string} answer @returns {Behaviour} */
export function chatIn(dialect, world, request, answer) {
  const { options, contextTokens, names } = world;
  const { body } = request;
  if (dialect.refuseModel && !names.includes(body.model ?? '')) return dialect.refuseModel(body.model ?? '');
  const used = promptTokens(body);
  const outputTokens = body.max_tokens ?? 0;
  const isOver = used > contextTokens || (dialect.refuseOverflow !== null && used + outputTokens > contextTokens);
  if (isOver && dialect.refuseOverflow)
    return dialect.refuseOverflow({ promptTokens: used, outputTokens, contextTokens });
  const tools = options.tools ?? dialect.tools;
  const offered = Array.isArray(body.tools) && body.tools.length > 0 && body.tool_choice !== 'none';
  if (offered && tools === 'refused') return dialect.refuseTools();

  /** @type {StreamBehaviour} */
  const ordinary = {
    type: 'stream',
    delayMs: options.delayMs,
    betweenMs: options.betweenMs,
    head: dialect.head,
    buffered: options.buffered,
  };
  const name = offered ? String(body.tools?.[0]?.function?.name ?? '') : '';
  if (name !== '' && tools === 'native') return { ...ordinary, toolCalls: [{ name, arguments: '{}' }] };
  if (name !== '') {
    return { ...ordinary, text: `<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>` };
  }
  if (options.schema !== false && body.response_format) {
    return {
      ...ordinary,
      text: JSON.stringify(valueOf(body.response_format.json_schema?.schema ?? { type: 'object' })),
    };
  }
  const counting = /\bin words\b/i.test(request.content) ? COUNTING_WORDS : COUNTING;
  const whole = /\bcount\b/i.test(request.content) ? counting : answer;
  const begun = continued(dialect, world, request);
  // Whatever it was introduced with, a count that was begun goes on.
  const counted = begun?.replace(/^So: /, '') ?? null;
  const text = counted !== null && whole.startsWith(counted) ? whole.slice(counted.length) : whole;
  return {
    ...ordinary,
    text,
    echo: begun ?? '',
    ...(isOver
      ? { usage: { prompt_tokens: Math.min(used, contextTokens), completion_tokens: tokensOf(text).length } }
      : {}),
  };
}

/** What the answer goes on from; null when it is begun anew. @param {Dialect} dialect @param {DialectWorld} world @param {ServedRequest} request */
function continued(dialect, { options }, { body }) {
  const last = body.messages?.at(-1);
  if (last?.role !== 'assistant' || options.continues === false) return null;
  const isAsked = dialect.continues && body.continue_final_message === true && body.add_generation_prompt === false;
  const isMeant = dialect.prefills && body.continue_final_message === undefined;
  return isAsked || isMeant || (dialect.prefills && !dialect.continues) ? String(last.content) : null;
}

/** The least that a schema takes. @param {Record<string, any>} schema @returns {unknown} */
function valueOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.anyOf)) return valueOf(schema.anyOf[0]);
  const [type] = [schema.type].flat();
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return schema.minimum ?? 0;
  if (type === 'string') return schema.format === 'date' ? '2026-01-31' : 'x';
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(properties.map(([key, value]) => [key, valueOf(value)]));
}
