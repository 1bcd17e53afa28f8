import type { SchemaWay } from '../../core/capabilities';
import { askSmall } from './server-calls';
import type { ProbeContext } from './probe-context';

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};
/** Grammars let small models write much white space. */
const MAX_TOKENS = 64;

/** How an answer is held to a schema. The question does not speak of JSON, so that only a server that holds passes. */
export async function probeSchema(context: ProbeContext, limitMs: number): Promise<SchemaWay | null> {
  const held = await askSmall(
    context,
    {
      messages: [{ role: 'user', content: 'Say hello.' }],
      maxTokens: MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema: { name: 'probe', strict: true, schema: SCHEMA } },
    },
    limitMs,
  );
  if (held === null) return null;
  if (held !== 'refused' && /^\s*\{\s*"ok"/.test(held.text)) return 'json_schema';
  // Nothing but thinking came: the answer itself was not begun.
  if (held !== 'refused' && held.text.trim() === '' && held.isCut) return null;
  const object = await askSmall(
    context,
    {
      messages: [{ role: 'user', content: 'Say hello, as a JSON object like {"ok": true}.' }],
      maxTokens: MAX_TOKENS,
      response_format: { type: 'json_object' },
    },
    limitMs,
  );
  if (object === null) return null;
  return object !== 'refused' && /^\s*\{/.test(object.text) ? 'json_object' : 'prompt';
}
