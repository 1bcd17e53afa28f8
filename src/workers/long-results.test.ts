import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '../lib/core/failure';
import type { ModelRequest } from '../lib/core/model';
import { fail } from '../lib/core/result';
import type { Template } from '../lib/core/task';
import { MIN_CONTEXT_TOKENS } from '../lib/engine/engine-ports';
import { createExtractor } from '../lib/extract/extractor';
import { EngineBench, TASK } from '../lib/testing/engine-bench';
import { answer, type ScriptedCall } from '../lib/testing/scripted-model';
import { promptTokens } from '../lib/jobs/ask';
import { budgetFor } from '../lib/jobs/budget';
import { isCondensing } from '../lib/jobs/derived-step';
import { wordingFor } from '../lib/jobs/wording';

const REAL = createExtractor();

/** Words that tell which file they come from, about as many tokens as asked for. */
function wordsOf(marks: string, tokens: number): string {
  const marked = marks.match(/file\d+word/g) ?? ['word'];
  return Array.from({ length: Math.max(1, Math.floor(tokens / 3)) }, (_, n) => marked[n % marked.length]).join(' ');
}

/** Another text, another answer. */
function checksum(text: string): string {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 99_991;
  return `v${String(sum)}`;
}

function kindOf({ messages, material }: ModelRequest): string {
  const said = messages[0]?.content;
  const isCondense = [wordingFor('en'), wordingFor('zh-CN')].some(({ system }) => system.condense === said);
  return isCondense ? 'condense' : material.what;
}

interface Scene {
  readonly contextTokens: number;
  /** Lengths of the files' results in tokens. */
  readonly lengths: readonly number[];
  /** Tokens of any other answer, as a share of what it may have; above one the server heeds no limit. */
  readonly talk: number;
}

function scripted({ contextTokens, lengths, talk }: Scene): EngineBench {
  const bench = new EngineBench({ extractor: REAL });
  bench.model.contextTokens = contextTokens;
  lengths.forEach((_, n) => bench.folder.put(`notes/f_${String(n)}.txt`, `file${String(n)}word`));
  bench.model.script(({ request, matter }: ScriptedCall) => {
    const nth = Number(/file(\d+)word/.exec(matter)?.[1] ?? 0);
    const isFile = kindOf(request) === 'file';
    const said = wordsOf(matter, isFile ? (lengths[nth] ?? 1) : request.maxTokens * talk);
    return answer(`${checksum(matter)} ${said}`);
  });
  return bench;
}

function longest(bench: EngineBench): number {
  return Math.max(...bench.model.calls.map(({ request }) => promptTokens(REAL, request) + request.maxTokens));
}

async function treeOf(bench: EngineBench) {
  const merges = await bench.store.stepsOfType(TASK, 'merge', null, 1_000);
  const sections = await bench.store.stepsOfType(TASK, 'section', null, 1_000);
  if (!merges.ok || !sections.ok) throw new Error('unreadable');
  return [...merges.value, ...sections.value];
}

describe('results longer than the room that the report has for them', () => {
  it('whatever their lengths, no request is over the context, and the report has every file once', async () => {
    const contexts = fc.oneof(
      fc.integer({ min: MIN_CONTEXT_TOKENS, max: 2_000 }),
      fc.integer({ min: 2_000, max: 9_000 }),
    );
    const shares = fc.array(
      fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 50, noNaN: true })),
      {
        minLength: 1,
        maxLength: 9,
      },
    );
    const templates = fc.constantFrom<Template>('summary', 'question', 'classify', 'translate');
    const talks = fc.constantFrom(0.1, 0.6, 1, 3);
    await fc.assert(
      fc.asyncProperty(
        contexts,
        shares,
        templates,
        fc.constantFrom('en' as const, 'zh-CN' as const),
        talks,
        async (contextTokens, lengthShares, template, language, talk) => {
          const { matterTokens } = budgetFor(contextTokens, 8);
          const lengths = lengthShares.map((share) => share * matterTokens);
          const bench = scripted({ contextTokens, lengths, talk });
          await bench.createTask({ template, language, instructions: 'what was measured, in German' });
          await bench.run();
          expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: null });
          expect(longest(bench)).toBeLessThanOrEqual(contextTokens);
          for (const step of await treeOf(bench)) expect(step, 'planned as it was made').toMatchObject({ attempts: 1 });
          const report = await bench.report();
          for (const n of lengths.keys()) {
            expect(report.split(`(results/notes/f_${String(n)}.txt.md)`)).toHaveLength(2);
            const written = bench.folder.written.get(`notes-012345/results/notes/f_${String(n)}.txt.md`);
            expect(written).toContain(wordsOf(`file${String(n)}word`, lengths[n] ?? 0));
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it('nor is one over the context with long files, long names and texts made of fences', async () => {
    const texts = fc.array(
      fc.record({
        name: fc.stringMatching(/^[a-z文件]{1,80}$/),
        word: fc.constantFrom('word ', '~', '~~~1\n', '文件。', '\n\n', 'x'),
        share: fc.double({ min: 0.1, max: 6, noNaN: true }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: MIN_CONTEXT_TOKENS, max: 4_096 }),
        texts,
        fc.constantFrom<Template>('summary', 'translate'),
        fc.nat(32),
        fc.constantFrom(0.5, 1, 5),
        async (contextTokens, files, template, wishTokens, talk) => {
          const bench = scripted({ contextTokens, lengths: [], talk });
          const { matterTokens } = budgetFor(contextTokens, wishTokens);
          for (const [n, { name, word, share }] of files.entries()) {
            const body = word.repeat(Math.ceil((matterTokens * share * 3) / word.length));
            bench.folder.put(`${name}${String(n)}.txt`, `file${String(n)}word ${body}`);
          }
          bench.model.script(({ request, matter }) => {
            const size = Math.ceil((request.maxTokens * talk * 3) / Math.max(1, matter.length));
            return answer(`${checksum(matter)}${matter.repeat(size).slice(0, request.maxTokens * talk * 3)}`);
          });
          await bench.createTask({ template, instructions: 'wish '.repeat(wishTokens) });
          await bench.run();
          expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: null });
          expect(longest(bench)).toBeLessThanOrEqual(contextTokens);
          for (const step of await treeOf(bench)) expect(step, 'planned as it was made').toMatchObject({ attempts: 1 });
          for (const step of await bench.files()) expect(step).toMatchObject({ status: 'done', attempts: 1 });
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  it('every file reaches the sections, in what was condensed of it', async () => {
    const bench = scripted({ contextTokens: 4_096, lengths: [40_000, 20, 3_000, 9_000], talk: 0.5 });
    await bench.createTask({ template: 'translate' });
    await bench.run();
    const condensed = bench.model.calls.filter(({ request }) => kindOf(request) === 'condense');
    for (const n of [0, 2, 3]) {
      expect(condensed.filter(({ matter }) => matter.includes(`file${String(n)}word`)).length).toBeGreaterThan(0);
    }
    const merged = bench.model.calls.filter(({ request }) => kindOf(request) === 'merge').map(({ matter }) => matter);
    for (const n of [0, 1, 2, 3]) expect(merged.some((matter) => matter.includes(`file${String(n)}word`))).toBe(true);
    const prompts = bench.model.calls.map(({ request }) => request.messages.at(-1)?.content ?? '');
    expect(prompts.some((content) => content.includes('File: notes/f_0.txt\nv'))).toBe(true);
  });

  it('a changed file is condensed anew, and no other', async () => {
    const lengths = Array.from({ length: 12 }, (_, n) => 1_500 + n * 400);
    const bench = scripted({ contextTokens: 2_048, lengths, talk: 0.5 });
    await bench.createTask({ template: 'translate' });
    await bench.run();
    const before = bench.model.calls.length;
    bench.folder.put('notes/f_5.txt', 'file5word once more');
    lengths[5] = 2_345;
    await bench.run();
    const after = bench.model.calls.slice(before);
    const kinds = (what: string) => after.filter(({ request }) => kindOf(request) === what);
    expect(kinds('file').map(({ matter }) => matter)).toEqual(['file5word once more']);
    expect(kinds('condense').length).toBeGreaterThan(0);
    const leaves = new Set((await treeOf(bench)).filter(isCondensing).map(({ inputs }) => inputs[0]));
    expect(leaves.size).toBeGreaterThan(10);
    for (const { matter } of kinds('condense')) {
      if (/file(?!5word)\d+word/.test(matter)) throw new Error('another file was condensed again');
    }
    expect(kinds('merge').length).toBeLessThanOrEqual(5);
    expect(kinds('section')).toHaveLength(4);
  });

  it('pieces condensed before a kill are not asked about again', async () => {
    const bench = scripted({ contextTokens: 2_048, lengths: [30_000, 10], talk: 0.5 });
    await bench.createTask({ template: 'translate', concurrency: 1 });
    const committed = bench.store.commit.bind(bench.store);
    const run = bench.newRun();
    let parts = 0;
    bench.store.commit = async (each) => {
      const saved = await committed(each);
      parts += each.steps.filter(({ type }) => type === 'part').length;
      if (parts >= 10) run.stop('pause');
      return saved;
    };
    await bench.clock.run(run.run({ retryFailed: false }));
    expect(await bench.task()).toMatchObject({ status: 'paused' });
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed' });
    const asked = bench.model.calls.map(({ request }) => JSON.stringify(request.messages));
    expect(asked.length - new Set(asked).size, 'only the one in flight').toBeLessThanOrEqual(1);
  });
});

describe('a server that counts more tokens than were estimated', () => {
  it('keeps the limit that it states, and the text is read in smaller pieces', async () => {
    const limitTokens = 4_096;
    const bench = new EngineBench({ extractor: REAL });
    bench.model.contextTokens = limitTokens;
    bench.folder.put('dense.txt', 'dense words '.repeat(3_000)).put('short.txt', 'short');
    bench.model.script(({ request, matter }) => {
      const usedTokens = promptTokens(REAL, request) * 3;
      if (usedTokens > limitTokens) return fail(failure('context_overflow', { details: { usedTokens, limitTokens } }));
      return answer(matter.slice(0, 2_000));
    });
    await bench.createTask({ template: 'translate' });
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: null, counts: { done: 2 } });
  });

  it('that refuses whatever it is asked fails the file and says the limit', async () => {
    const bench = new EngineBench({ extractor: REAL });
    bench.model.contextTokens = 4_096;
    bench.folder.put('a.txt', 'some words');
    bench.model.script(() => fail(failure('context_overflow', { details: { limitTokens: 4_096 } })));
    await bench.createTask();
    await bench.run();
    expect(await bench.task()).toMatchObject({ contextTokens: null });
    expect((await bench.files())[0]).toMatchObject({
      status: 'failed',
      failure: { code: 'context_overflow', details: { limitTokens: 4_096 } },
    });
  });
});
