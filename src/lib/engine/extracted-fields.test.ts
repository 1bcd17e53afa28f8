import { expect, test } from 'vitest';
import type { FieldSpec } from '../core/fields';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { stepKey } from '../core/ids';
import { EngineBench } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';

const FIELDS: readonly FieldSpec[] = [
  { name: 'Number', type: 'text', description: 'of the invoice' },
  { name: 'Total', type: 'number', description: '' },
  { name: 'Items', type: 'list', description: '' },
];
const GOOD = '{"Number":"A-1","Total":12.5,"Items":["ink","paper"]}';
const CUT = answer('{"Number":"A', 'length');
const unmet = (text: string) => {
  const made = answer(text);
  return made.ok ? ok({ ...made.value, unmet: 'Total: must be number' }) : made;
};

async function live(bench: EngineBench) {
  await bench.createTask({ concurrency: 1, template: 'extract', instructions: '', fields: FIELDS });
  await new OwnerLife(bench).live();
}

function written(bench: EngineBench, name: string): string | undefined {
  return [...bench.folder.written].find(([path]) => path.endsWith(`/${name}`))?.[1];
}

async function stepOf(bench: EngineBench, path: string) {
  const step = await bench.store.step((await bench.task()).id, stepKey(`file/${path}`));
  if (!step.ok || step.value === null) throw new Error(`no step for ${path}`);
  const { resultKey } = step.value;
  const result = resultKey === null ? null : await bench.store.result(resultKey);
  return { ...step.value, output: result?.ok ? (result.value?.output ?? null) : null };
}

test('fields are asked for with a schema, and stand in the table, in the files and in the notes of the report', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'Invoice A-1');
  bench.model.script(({ request }) => answer(request.schema ? GOOD : 'Section.'));
  await live(bench);
  const [asked, ...rest] = bench.model.calls.map(({ request }) => request);
  expect(asked?.schema).toMatchObject({ type: 'object', required: ['Number', 'Total', 'Items'] });
  expect(asked?.messages[1]?.content).toContain('- Number (text): of the invoice');
  expect(rest.every(({ schema }) => schema === undefined)).toBe(true);
  expect(rest[0]?.messages[1]?.content).toContain('Number: A-1\nTotal: 12.5\nItems: ink; paper');
  expect(written(bench, 'results.csv')).toContain('reason,Number,Total,Items,attempts');
  expect(written(bench, 'results.csv')).toContain(',A-1,12.5,ink; paper,1,');
  expect(await stepOf(bench, 'a.txt')).toMatchObject({ excerpt: 'Number: A-1 · Total: 12.5 · Items: ink; paper' });
  expect(written(bench, 'results/a.txt.md')).toContain('- **Number:** A\\-1'.replace('\\-', '-'));
});

test('an answer that does not fit is given back once, with what is wrong with it', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'Invoice A-1');
  const bad = '{"Number":"A-1","Total":"much","Items":[]}';
  bench.model.script(({ request }, nth) => (nth === 1 ? unmet(bad) : answer(request.schema ? GOOD : 'Section.')));
  await live(bench);
  const repair = bench.model.calls[1]?.request;
  expect(repair?.schema).toBeDefined();
  expect(repair?.messages.slice(2)).toEqual([
    { role: 'assistant', content: bad },
    { role: 'user', content: expect.stringContaining('Total: must be number') as string },
  ]);
  expect(await stepOf(bench, 'a.txt')).toMatchObject({ status: 'done', output: GOOD, requests: 2, attempts: 1 });
});

test('a second one fails the file, is kept for the person, and is no result', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'Invoice A-1');
  bench.folder.put('b.txt', 'Invoice B-1');
  bench.model.script(({ request, matter }) =>
    request.schema && matter.includes('B-1')
      ? unmet(`no JSON, try ${String(request.messages.length)}`)
      : answer(request.schema ? GOOD : 'Section.'),
  );
  await live(bench);
  const failed = await stepOf(bench, 'b.txt');
  expect(failed).toMatchObject({
    status: 'failed',
    failure: { code: 'schema_unmet' },
    requests: 2,
    attempts: 1,
    inputHash: null,
  });
  expect(failed.output).toBe('no JSON, try 4');
  expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1, failed: 1 } });
  expect(written(bench, 'results.csv')).toMatch(/b\.txt,failed,no,schema_unmet,,,,1,2,/);
  expect(written(bench, 'results/b.txt.md')).toBeUndefined();
});

test('one that was cut is asked for with more room, never repaired, and kept when it is cut again', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'Invoice A-1');
  bench.folder.put('b.txt', 'Invoice B-1');
  bench.model.script(({ request, matter }) => {
    if (!request.schema) return answer('Section.');
    const isWide = request.maxTokens > 1_024;
    return matter.includes('A-1') && isWide ? answer(GOOD) : answer('{"Number":"A', 'length');
  });
  await live(bench);
  expect(await stepOf(bench, 'a.txt')).toMatchObject({ status: 'done', output: GOOD, flags: { truncated: false } });
  const cut = await stepOf(bench, 'b.txt');
  expect(cut).toMatchObject({ status: 'failed', failure: { code: 'output_truncated' }, output: '{"Number":"A' });
  expect(bench.model.calls.every(({ request }) => request.messages.length === 2)).toBe(true);
});

test.each<[string, number, (maxTokens: number, isRepair: boolean) => ReturnType<typeof answer>]>([
  ['the context', 2_048, (_, isRepair) => (isRepair ? CUT : unmet('x '.repeat(2_000)))],
  ['its thinking', 8_192, (maxTokens) => (maxTokens > 1_024 ? CUT : fail(failure('output_truncated')))],
  ['the server', 32_768, (maxTokens) => (maxTokens > 300 ? fail(failure('max_tokens_too_large')) : CUT)],
])('one that was cut is not asked for again where %s leaves it no more room', async (_, contextTokens, script) => {
  const bench = new EngineBench();
  bench.model.contextTokens = contextTokens;
  bench.folder.put('a.txt', 'Invoice A-1 ink. '.repeat(contextTokens > 2_048 ? 1 : 165));
  let cut = 0;
  bench.model.script(({ request }) => {
    const made = request.schema ? script(request.maxTokens, request.messages.length > 2) : answer('Section.');
    if (made === CUT) cut += 1;
    return made;
  });
  await live(bench);
  const step = await stepOf(bench, 'a.txt');
  expect(step).toMatchObject({ status: 'failed', failure: { code: 'output_truncated' }, output: '{"Number":"A' });
  expect(cut).toBe(step.attempts);
});

test('the parts of a long file are put together without a question of their own', async () => {
  const bench = new EngineBench();
  bench.folder.put('long.txt', 'one sentence and another. '.repeat(3_000));
  let part = 0;
  bench.model.script(({ request }) => {
    if (!request.schema) return answer('Section.');
    part += 1;
    return answer(
      `{"Number":${part === 1 ? 'null' : `"N-${String(part)}"`},"Total":null,"Items":["ink","${String(part)}"]}`,
    );
  });
  await live(bench);
  expect(part).toBeGreaterThan(2);
  const items = ['ink', ...Array.from({ length: part }, (_, n) => String(n + 1))];
  const step = await stepOf(bench, 'long.txt');
  expect(JSON.parse(step.output ?? '')).toEqual({ Number: 'N-2', Total: null, Items: items });
  expect(bench.model.calls.some(({ request }) => request.material.what === 'join')).toBe(false);
});

test('what was thought is kept with the result, and is in nothing that is written', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'Invoice A-1');
  bench.model.script(({ request }) => {
    const made = answer(request.schema ? GOOD : 'Section.');
    return made.ok ? ok({ ...made.value, thinking: 'SECRET THOUGHT' }) : made;
  });
  await live(bench);
  const { resultKey } = await stepOf(bench, 'a.txt');
  const kept = resultKey === null ? null : await bench.store.result(resultKey);
  expect(kept?.ok && kept.value?.thinking).toBe('SECRET THOUGHT');
  expect([...bench.folder.written.values()].join('\n')).not.toContain('SECRET');
});
