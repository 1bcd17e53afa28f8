import { describe, expect, it } from 'vitest';
import { askOnce, modelAt } from '../../../tests/support/model-fixtures';
import type { FailureCode } from '../core/failure-codes';

/** Asks a server that answers with these bytes. @param type of the content; null for none */
async function asked(written: string, type: string | null = 'text/event-stream') {
  const headers = new Headers(type === null ? [] : [['content-type', type]]);
  const fetched: typeof fetch = () => {
    const body = new Response(new TextEncoder().encode(written)).body;
    return Promise.resolve(new Response(body, { headers }));
  };
  return (await askOnce(modelAt({ url: 'http://127.0.0.1:9/v1' }, { fetch: fetched }), 'question')).result;
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const END = `${delta({}, 'stop')}data: [DONE]\n\n`;
const WHOLE = { choices: [{ message: { role: 'assistant', content: 'Four.' }, finish_reason: 'stop' }] };
const PAGE = '<!DOCTYPE html>\n<html>\n<head><title>Sign in</title></head>\n\n<body>Hello</body>\n</html>\n';

describe('streams that are answers', () => {
  it.each<[string, string]>([
    ['lines that end in CRLF', (delta({ content: 'Fo' }) + delta({ content: 'ur.' }) + END).replaceAll('\n', '\r\n')],
    ['lines that end in CR', (delta({ content: 'Fo' }) + delta({ content: 'ur.' }) + END).replaceAll('\n', '\r')],
    [
      'SSE-01: comments between all lines',
      `: ping\n\n${delta({ content: 'Four.' })}:\n\n: OPENROUTER PROCESSING\n\n${END}`,
    ],
    ['SSE-03: no [DONE]', delta({ content: 'Four.' }) + delta({}, 'stop')],
    ['SSE-03: no line after the last', `${delta({ content: 'Four.' })}${delta({}, 'stop').trimEnd()}`],
    ['no space after the colon', (delta({ content: 'Four.' }) + END).replaceAll('data: ', 'data:')],
    ['a byte order mark', `\ufeff${delta({ content: 'Four.' })}${END}`],
    ['SSE-07: usage before the text', `${event({ choices: [], usage: null })}${delta({ content: 'Four.' })}${END}`],
    [
      'SSE-07: choices that are null, absent, empty or hold null',
      `${event({ choices: null })}${event({})}${event({ choices: [null] })}${event({ choices: [] })}${delta({ content: 'Four.' })}${END}`,
    ],
    [
      'SSE-07: a filter chunk of Azure',
      `${event({ choices: [], prompt_filter_results: [{}] })}${delta({ content: 'Four.' })}${END}`,
    ],
    ['the finish reason with the last text', delta({ content: 'Four.' }, 'stop')],
    ['an error field that says nothing', `${event({ error: null, choices: [{ delta: { content: 'Four.' } }] })}${END}`],
  ])('%s', async (_, written) => {
    for (const type of ['text/event-stream', 'text/plain', 'application/json', null]) {
      expect(await asked(written, type)).toMatchObject({ ok: true, value: { text: 'Four.', finishReason: 'stop' } });
    }
  });

  it.each([
    ['reasoning_content', delta({ reasoning_content: 'two and two' })],
    ['reasoning', delta({ reasoning: 'two and two' })],
    ['reasoning beside an empty field of the other name', delta({ reasoning_content: '', reasoning: 'two and two' })],
    ['a block', delta({ content: '<think>two and' }) + delta({ content: ' two</thi' }) + delta({ content: 'nk>\n\n' })],
  ])('SSE-15: thinking in %s is kept apart', async (_, thought) => {
    const result = await asked(thought + delta({ content: 'Four.' }) + END);
    expect(result).toMatchObject({ ok: true, value: { text: 'Four.', thinking: 'two and two' } });
  });
});

describe('whole answers, whatever they are said to be', () => {
  it.each(['application/json', 'text/plain', 'text/event-stream', null])('%s', async (type) => {
    for (const written of [JSON.stringify(WHOLE), JSON.stringify(WHOLE, null, 2)]) {
      expect(await asked(written, type)).toMatchObject({ ok: true, value: { text: 'Four.', finishReason: 'stop' } });
    }
  });
});

describe('what is no answer, whatever it is said to be', () => {
  const error = { error: { message: 'No models loaded.', code: 'model_not_found' } };
  const bodies: readonly [string, string, FailureCode][] = [
    ['a page', PAGE, 'login_page'],
    ['an error', JSON.stringify(error), 'model_not_found'],
    ['an error over several lines', JSON.stringify(error, null, 2), 'model_not_found'],
    ['a flat error', JSON.stringify({ object: 'error', message: 'The model `x` does not exist.' }), 'model_not_found'],
    ['an error that is a text', JSON.stringify({ error: 'Unexpected endpoint or method.' }), 'wrong_base_url'],
  ];
  const types = ['text/html', 'application/json', 'text/plain', 'text/event-stream', null];
  it.each(types.flatMap((type) => bodies.map(([what, written, code]) => [what, type, written, code] as const)))(
    'SSE-22, SSE-23: %s as %s',
    async (_, type, written, code) => {
      expect(await asked(written, type)).toMatchObject({ ok: false, failure: { code } });
    },
  );
});

describe('streams that are none', () => {
  const busy = { message: 'server busy, please try again.  maximum pending requests exceeded', code: 503 };
  it.each<[string, string, FailureCode]>([
    ['SSE-10: an error', event({ error: busy }), 'server_busy'],
    ['SSE-10: an error that is a text', event({ error: busy.message }), 'server_busy'],
    ['SSE-10: a flat error', event({ object: 'error', ...busy }), 'server_busy'],
    ['SSE-10: an event of that name', `event: error\n${event(busy)}`, 'server_busy'],
    ['SSE-10: an event of that name, in words', `event: error\ndata: ${busy.message}\n\n`, 'server_busy'],
    ['SSE-10: the field of old builds', `error: ${JSON.stringify(busy)}\n\n`, 'server_busy'],
    [
      'SSE-10: an error in the last chunk',
      event({ error: busy, choices: [{ delta: {}, finish_reason: 'error' }] }),
      'server_busy',
    ],
    ['SSE-13, CTX-07: no delta at all', 'data: [DONE]\n\n', 'empty_response'],
    ['SSE-13: a finish reason alone', END, 'empty_response'],
    ['no finish reason', delta({ content: 'Fo' }), 'stream_cut'],
    ['a finish reason that nobody knows', delta({ content: 'Fo' }, 'abort'), 'stream_malformed'],
    ['one that objects of the language know', delta({ content: 'Fo' }, 'constructor'), 'stream_malformed'],
    ['[DONE] without a finish reason', `${delta({ content: 'Fo' })}data: [DONE]\n\n`, 'stream_cut'],
    [
      'a refusal',
      `${delta({ refusal: 'I cannot ' })}${delta({ refusal: 'help with that.' })}${END}`,
      'content_refused',
    ],
    ['a content filter', `${delta({ content: 'Fo' })}${delta({}, 'content_filter')}`, 'content_refused'],
    ['thinking that never ends', delta({ reasoning_content: 'hm' }) + delta({}, 'length'), 'output_truncated'],
  ])('%s', async (_, written, code) => {
    for (const before of ['', delta({ role: 'assistant', content: '' })]) {
      expect(await asked(before + written)).toMatchObject({ ok: false, failure: { code } });
    }
  });

  it('SSE-10: an error after text is that error, and nothing of the text is kept', async () => {
    const result = await asked(delta({ content: 'Four' }) + event({ object: 'error', ...busy }) + END);
    expect(result).toMatchObject({ ok: false, failure: { code: 'server_busy' } });
    expect(JSON.stringify(result)).not.toContain('Four');
  });

  it('a refusal is told in the words of the model', async () => {
    const result = await asked(delta({ refusal: 'I cannot ' }) + delta({ refusal: 'help with that.' }) + END);
    expect(result).toMatchObject({ ok: false, failure: { message: 'I cannot help with that.' } });
  });
});
