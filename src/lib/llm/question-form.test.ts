import { describe, expect, it } from 'vitest';
import { modelAt, requestFor, QUICK } from '../../../tests/support/model-fixtures';
import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../core/endpoint-settings';
import type { JsonObject } from '../core/json-value';
import type { ModelRequest } from '../core/model';
import type { OpenAiModelOptions } from './model-openai';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    due: { type: 'string', format: 'date' },
    format: { type: 'string' },
    code: { type: 'string', pattern: '^A' },
  },
  required: ['due'],
};
const GOOD = '{"due":"2026-01-02"}';
const TOOL = { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } };

const toolsSet = (tools: EndpointSettings['tools']) => ({ ...DEFAULT_ENDPOINT_SETTINGS, tools });

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream: boolean;
  readonly stream_options?: object;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: JsonObject } };
  readonly tools?: readonly object[];
  readonly stop?: readonly string[];
}

/** A server that answers with what `serve` makes of each body, and keeps them. */
function asking(
  serve: (body: Body, nth: number) => Response | Promise<Response>,
  more: Partial<OpenAiModelOptions> = {},
) {
  const bodies: Body[] = [];
  const model = modelAt(
    { url: 'http://127.0.0.1:9/v1' },
    {
      ...more,
      fetch: async (_, init) => {
        bodies.push(JSON.parse(typeof init?.body === 'string' ? init.body : '') as Body);
        return serve(bodies.at(-1) as Body, bodies.length);
      },
    },
  );
  const ask = (request: Partial<ModelRequest>) =>
    model.complete(requestFor('question', request), { signal: new AbortController().signal, clocks: QUICK });
  return { bodies, ask };
}

const whole = (content: string, more: object = {}) =>
  Response.json({ choices: [{ message: { content }, finish_reason: 'stop', ...more }] });
const refusal = (status: number, message: string) => Response.json({ error: { message } }, { status });

describe('a schema', () => {
  it('goes in the field for it, and what comes back is its JSON', async () => {
    const { bodies, ask } = asking(() => whole(`\`\`\`json\n${GOOD}\n\`\`\``));
    expect(await ask({ schema: SCHEMA })).toMatchObject({ ok: true, value: { text: GOOD, finishReason: 'stop' } });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.response_format).toMatchObject({ type: 'json_schema', json_schema: { schema: SCHEMA } });
    expect(JSON.stringify(bodies[0]?.messages)).not.toContain('JSON schema');
  });

  it.each([
    ['pattern', 'Grammar error: the regex of pattern is not supported', ['pattern']],
    ['format', 'Unsupported keyword "format" in json_schema', ['format']],
    ['not named', 'Failed to initialize samplers: failed to parse grammar', ['pattern', 'format']],
  ])('is asked for without the keyword that the server refuses: %s', async (_, message, dropped) => {
    const { bodies, ask } = asking((__, nth) => (nth === 1 ? refusal(400, message) : whole(GOOD)));
    expect((await ask({ schema: SCHEMA })).ok).toBe(true);
    const sent = JSON.stringify(bodies[1]?.response_format?.json_schema?.schema);
    for (const keyword of dropped) expect(sent).not.toContain(`"${keyword}":"`);
    // A field that happens to be called so stays.
    expect(sent).toContain('"format":{"type":"string"}');
    expect(bodies).toHaveLength(2);
    await ask({ schema: SCHEMA });
    expect(bodies).toHaveLength(3);
  });

  it('is asked for a way lower each time that is refused, and that is known from then on', async () => {
    const { bodies, ask } = asking(({ response_format: format }) => {
      if (format?.type === 'json_schema') return refusal(400, "'response_format.type' must be 'text' or 'json_object'");
      return format ? refusal(400, 'response_format is not supported by this model') : whole(GOOD);
    });
    expect(await ask({ schema: SCHEMA })).toMatchObject({ ok: true, value: { text: GOOD } });
    expect(bodies.map((body) => body.response_format?.type ?? 'prompt')).toEqual([
      'json_schema',
      'json_object',
      'prompt',
    ]);
    expect(bodies[2]?.messages[0]).toMatchObject({ role: 'system' });
    expect(bodies[2]?.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
    await ask({ schema: SCHEMA });
    expect(bodies).toHaveLength(4);
  });

  it.each(['json_schema', 'json_object', 'prompt'] as const)('begins with what was found out: %s', async (way) => {
    const capabilities = { schema: way, tools: null, streaming: null };
    const { bodies, ask } = asking(() => whole(GOOD), { capabilities });
    await ask({ schema: SCHEMA });
    expect(bodies[0]?.response_format?.type ?? 'prompt').toBe(way);
  });

  it('is checked where the server does not hold the answer to it', async () => {
    const { ask } = asking(() => whole('{"due":"soon"}'));
    expect(await ask({ schema: SCHEMA })).toMatchObject({
      ok: true,
      value: { text: '{"due":"soon"}', unmet: 'due: must be a date that there is, written YYYY-MM-DD' },
    });
  });

  it('is not read into an answer that was cut, even where what came would fit', async () => {
    const { ask } = asking(() => whole(`${GOOD} and`, { finish_reason: 'length' }));
    const answer = await ask({ schema: SCHEMA });
    expect(answer).toMatchObject({ ok: true, value: { text: `${GOOD} and`, finishReason: 'length' } });
    expect(answer.ok && 'unmet' in answer.value).toBe(false);
  });

  it.each([
    [400, 'This model does not exist'],
    [401, 'Unauthorized: json_schema'],
    [400, "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens."],
  ])('is not the fault of every refusal: %i %s', async (status, message) => {
    const { bodies, ask } = asking(() => refusal(status, message));
    expect((await ask({ schema: SCHEMA })).ok).toBe(false);
    expect(bodies).toHaveLength(1);
  });
});

describe('tools', () => {
  it.each([
    ['vLLM', '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    ['Ollama', 'registry.ollama.ai/library/gemma:2b does not support tools'],
    ['llama.cpp of 2025-01', 'tools param requires --jinja flag'],
  ])('are told in text where the server refuses them: %s', async (_, message) => {
    const { bodies, ask } = asking(({ tools }) => (tools ? refusal(400, message) : whole('No need.')));
    expect(await ask({ tools: [TOOL] })).toMatchObject({ ok: true, value: { text: 'No need.', finishReason: 'stop' } });
    expect(bodies).toHaveLength(2);
    expect(bodies[0]?.tools).toHaveLength(1);
    expect(bodies[1]?.messages[0]?.content).toMatch(/^Answer briefly\.\n\nYou are a function calling AI model\./);
    expect(bodies[1]?.stop).toEqual(['<tool_response>']);
  });

  it.each<[Partial<OpenAiModelOptions>, 'native' | 'hermes']>([
    [{}, 'native'],
    [{ capabilities: { schema: null, tools: 'hermes', streaming: null } }, 'hermes'],
    [{ capabilities: { schema: null, tools: 'hermes', streaming: null }, settings: toolsSet('native') }, 'native'],
    [{ capabilities: { schema: null, tools: 'native', streaming: null }, settings: toolsSet('hermes') }, 'hermes'],
    [{ capabilities: { schema: null, tools: 'hermes', streaming: null }, settings: toolsSet('auto') }, 'hermes'],
  ])('go the way that was set, else the one that was found out %#', async (known, way) => {
    const { bodies, ask } = asking(() => whole('Done.'), known);
    await ask({ tools: [TOOL] });
    expect(bodies[0]?.tools ? 'native' : 'hermes').toBe(way);
  });

  it('are in no request that has none', async () => {
    const { bodies, ask } = asking(() => whole('Done.'), { settings: toolsSet('hermes') });
    await ask({});
    expect(bodies[0]).not.toHaveProperty('tools');
    expect(bodies[0]).not.toHaveProperty('stop');
    expect(bodies[0]?.messages[0]?.content).toBe('Answer briefly.');
  });
});

describe('what several learn that were out together', () => {
  const AT_ONCE = 4;

  /** Answers nobody before all have asked. */
  function together(serve: (body: Body) => Response) {
    let missing = AT_ONCE;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    return asking(async (body) => {
      missing -= 1;
      if (missing === 0) begin();
      await begun;
      return serve(body);
    });
  }
  const askAll = (ask: (request: Partial<ModelRequest>) => Promise<unknown>, request: Partial<ModelRequest>) =>
    Promise.all(Array.from({ length: AT_ONCE }, () => ask(request)));
  const answers = (text: string) => Array.from({ length: AT_ONCE }, () => ({ ok: true, value: { text } }));

  it.each<[string, (body: Body) => boolean, Partial<ModelRequest>, string, string]>([
    ['no schema', (body) => body.response_format !== undefined, { schema: SCHEMA }, 'response_format', GOOD],
    ['no stream', (body) => body.stream, {}, 'stream', 'Four.'],
    ['no tools', (body) => body.tools !== undefined, { tools: [TOOL] }, 'tools', 'Four.'],
  ])('%s: none of them fails for it', async (_, isRefused, request, name, text) => {
    const { bodies, ask } = together((body) =>
      isRefused(body) ? refusal(400, `${name} is not supported`) : whole(text),
    );
    expect(await askAll(ask, request)).toMatchObject(answers(text));
    expect(bodies.length).toBeLessThanOrEqual(AT_ONCE * 3);
  });

  it('a keyword that is refused is left out, and the schema is kept by the server all the same', async () => {
    const isRefused = (body: Body) => JSON.stringify(body.response_format).includes('"pattern"');
    const { bodies, ask } = together((body) =>
      isRefused(body) ? refusal(400, 'grammar: unsupported pattern') : whole(GOOD),
    );
    expect(await askAll(ask, { schema: SCHEMA })).toMatchObject(answers(GOOD));
    expect(bodies.map((body) => body.response_format?.type)).toEqual(bodies.map(() => 'json_schema'));
    expect(bodies).toHaveLength(AT_ONCE * 2);
  });
});

describe('a server that does not stream', () => {
  it('is asked for the whole answer where that was found out', async () => {
    const capabilities = { schema: null, tools: null, streaming: 'whole' } as const;
    const { bodies, ask } = asking(() => whole('Four.'), { capabilities });
    expect(await ask({})).toMatchObject({ ok: true, value: { text: 'Four.' } });
    expect(bodies[0]?.stream).toBe(false);
    expect(bodies[0]).not.toHaveProperty('stream_options');
  });

  it('teaches it by refusing, once', async () => {
    const { bodies, ask } = asking(({ stream }) =>
      stream ? refusal(400, 'stream is not supported for this model') : whole('Four.'),
    );
    expect(await ask({})).toMatchObject({ ok: true, value: { text: 'Four.' } });
    await ask({});
    expect(bodies.map(({ stream }) => stream)).toEqual([true, false, false]);
  });

  it.each([
    ['Streaming is not supported for this model', 1],
    ['The upstream provider does not support this schema: unknown keyword', 0],
  ])('is told by its words: %s', async (words, times) => {
    const { bodies, ask } = asking(({ stream }, nth) => (stream && nth === 1 ? refusal(400, words) : whole('Four.')));
    await ask({});
    expect(bodies.filter(({ stream }) => !stream)).toHaveLength(times);
  });

  it('is not told from one that only knows no stream_options', async () => {
    const { bodies, ask } = asking(({ stream_options: options }) =>
      options ? refusal(400, 'Unknown parameter: stream_options') : whole('Four.'),
    );
    await ask({});
    expect(bodies.map(({ stream }) => stream)).toEqual([true, true]);
  });
});
