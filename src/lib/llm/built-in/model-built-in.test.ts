import { describe, expect, it } from 'vitest';
import type { Material, ModelRequest } from '../../core/model';
import { createBuiltInModel } from './model-built-in';

const estimateTokens = (text: string) => Math.ceil(new TextEncoder().encode(text).length / 3);
const model = createBuiltInModel({ estimateTokens, monotonicMs: () => 0 });

function request(material: Material, maxTokens = 1024): ModelRequest {
  return {
    messages: [{ role: 'user', content: 'what a language model would get' }],
    temperature: 0,
    maxTokens,
    material,
  };
}

async function complete(material: Material, maxTokens?: number) {
  const result = await model.complete(request(material, maxTokens), { signal: new AbortController().signal });
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
}

async function answer(material: Material, maxTokens?: number): Promise<string> {
  return (await complete(material, maxTokens)).text;
}

function bulletsUnder(label: string, text: string): readonly string[] {
  const block = text.split('\n\n').find((part) => part.startsWith(label)) ?? '';
  return block.split('\n').slice(1);
}

const ZH = `会议纪要
时间：2026年3月3日
参会：王芳、李强、陈明

编号：TL-204
预算由 12 万元降到 9.5 万元，主要原因是供应商重新报价。王芳指出，新供应商的报价比原来低 20%。
李强担心质量下降，建议先试用一个月再签订合同。
开发进度比计划晚两周，测试环境尚未准备好。陈明表示，测试环境将在 3 月 15 日之前完成。
会议决定：批准 TL-204 的新预算，并在 3 月 20 日前与新供应商签订试用合同。
`;

const EN = `Meeting notes, 3 March 2026

The budget of project TL-204 was cut from $120,000 to $95,000. The reason is a new quote from the supplier, which is 20% lower than before.
Tom worries about quality. He suggested a trial of one month before any contract is signed.
The development schedule is two weeks behind the plan, because the test environment is not ready. Dr. Smith said that the test environment will be finished by March 15, 2026.
Decision: the new budget for TL-204 is approved, and a trial contract with the new supplier must be signed by 20 March.
`;

/** 40 kB of like sentences without any word of conclusion. */
function longText(): string {
  const topics = ['项目', '供应商', '质量', '进度', '测试', '客户', '部门', '系统', '数据', '流程', '培训'];
  const sentences: string[] = [];
  for (let at = 0; sentences.join('').length < 15_000; at += 1) {
    const topic = (shift: number) => topics[(at * 7 + shift * 3) % topics.length] ?? '';
    sentences.push(
      `${topic(0)}的${topic(1)}与${topic(2)}在本周有${String(at % 97)}项变化，${topic(3)}负责人继续跟进。\n`,
    );
  }
  return sentences.join('');
}

describe('a note on a file', () => {
  it('has the form of the batch report, in Chinese', async () => {
    const text = await answer({ what: 'file', text: ZH, language: 'zh-CN', ask: '' });
    expect(text.split('\n\n').map((block) => block.split('\n')[0]?.slice(0, 12))).toEqual([
      '**类型与主题：** 会',
      '**要点：**',
      '**重要数据：**',
    ]);
    expect(text).toMatch(/^\*\*类型与主题：\*\* 会议纪要 — .*tl-204/);
    expect(bulletsUnder('**要点：**', text)).toContain(
      '- 会议决定：批准 TL-204 的新预算，并在 3 月 20 日前与新供应商签订试用合同。',
    );
    expect(bulletsUnder('**重要数据：**', text)).toContain('- 12 万元 · 9.5 万元 — 预算由 12 万元降到 9.5 万元');
    expect(bulletsUnder('**重要数据：**', text)).toContain('- 20% — 新供应商的报价比原来低 20%');
  });

  it('has the form of the batch report, in English', async () => {
    const text = await answer({ what: 'file', text: EN, language: 'en', ask: '' });
    expect(text).toMatch(/^\*\*Type and topic:\*\* meeting notes — .*budget/);
    expect(bulletsUnder('**Important data:**', text)).toContain(
      '- March 15, 2026 — Dr. Smith said that the test environment will be finished by March 15, 2026',
    );
    expect(bulletsUnder('**Important data:**', text)).toContain(
      '- $120,000 · $95,000 — The budget of project TL-204 was cut from $120,000 to $95,000',
    );
  });

  it('quotes: every point stands in the text, in its order', async () => {
    const points = bulletsUnder('**Key points:**', await answer({ what: 'file', text: EN, language: 'en', ask: '' }));
    const places = points.map((point) => EN.indexOf(point.slice(2)));
    expect(points.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('leaves the data out when there are none', async () => {
    const text = await answer({ what: 'file', text: 'Anna likes trees. Tom likes birds.', language: 'en', ask: '' });
    expect(text).not.toContain('Important data');
    expect(bulletsUnder('**Key points:**', text)).toEqual(['- Anna likes trees.', '- Tom likes birds.']);
  });

  it('puts first what was asked for', async () => {
    const ask = 'Who worries about the quality?';
    const text = await answer({ what: 'file', text: EN, language: 'en', ask });
    expect(bulletsUnder('**On what was asked:**', text)).toEqual(['- Tom worries about quality.']);
    const zh = await answer({ what: 'file', text: ZH, language: 'zh-CN', ask: '谁担心质量？' });
    expect(bulletsUnder('**与要求相关：**', zh)).toEqual(['- 李强担心质量下降，建议先试用一个月再签订合同。']);
    const none = await answer({ what: 'file', text: EN, language: 'en', ask: 'Which dinosaurs were found?' });
    expect(none).not.toContain('On what was asked');
  });

  it('CTX-13: finds the one conclusion at the end of 40 kB', async () => {
    const text = `${longText()}结论：批准 TL-204`;
    expect(new TextEncoder().encode(text).length).toBeGreaterThan(40_000);
    const whole = await answer({ what: 'file', text, language: 'zh-CN', ask: '' });
    expect(bulletsUnder('**要点：**', whole)).toContain('- 结论：批准 TL-204');
    const short = await answer({ what: 'file', text, language: 'zh-CN', ask: '' }, 150);
    expect(short).toContain('结论：批准 TL-204');
  });

  it('CTX-13: carries the conclusion through the joining of parts and into the report', async () => {
    const lines = longText().split('\n');
    const parts = [lines.slice(0, 150), lines.slice(150, 300), [...lines.slice(300), '结论：批准 TL-204']];
    const notes = await Promise.all(
      parts.map((part) => answer({ what: 'part', text: part.join('\n'), language: 'zh-CN', ask: '' })),
    );
    const joined = await answer({ what: 'join', texts: notes, language: 'zh-CN', ask: '' });
    expect(joined).toContain('- 结论：批准 TL-204');
    const merged = await answer({ what: 'merge', texts: [joined, ...notes], language: 'zh-CN', ask: '' });
    const material = { what: 'section', texts: [merged], language: 'zh-CN', ask: '' } as const;
    expect(await answer({ ...material, section: 'conclusions' })).toContain('- 结论：批准 TL-204');
    expect(await answer({ ...material, section: 'executive_summary' })).toContain('结论：批准 TL-204');
  });

  it('shows the one error of a log once, and not a hundred like lines', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `2026-03-03T10:00:${String(at % 60).padStart(2, '0')} INFO request ${String(at)} served`,
    );
    lines.splice(150, 0, '2026-03-03T10:00:30 ERROR connection to the database refused after 3 retries');
    const text = await answer({ what: 'file', text: lines.join('\n'), language: 'en', ask: '' });
    expect(text).toMatch(/^\*\*Type and topic:\*\* log/);
    const points = bulletsUnder('**Key points:**', text);
    expect(points.filter((point) => point.includes('ERROR connection to the database refused'))).toHaveLength(1);
    expect(points.filter((point) => point.includes('INFO request'))).toHaveLength(1);
  });

  it('takes the records of a table one by one', async () => {
    const text = Array.from(
      { length: 12 },
      (_, at) => `name: item ${String(at)}\nplace: shelf ${String(at * 3)}\nprice: $${String(at + 10)}`,
    ).join('\n\n');
    const answered = await answer({ what: 'file', text, language: 'en', ask: '' });
    expect(answered).toMatch(/^\*\*Type and topic:\*\* table/);
    for (const point of bulletsUnder('**Key points:**', answered)) {
      expect(point).toMatch(/^- name: item \d+; place: shelf \d+; price: \$\d+$/);
    }
  });

  it.each(['---\n***\n', '!!!', '1', '。'])('is not blank for %j', async (text) => {
    const answered = await answer({ what: 'file', text, language: 'en', ask: '' });
    expect(answered).toContain(text.split('\n')[0]);
  });

  it('stays within the tokens of an answer', async () => {
    for (const maxTokens of [16, 96, 200, 400]) {
      const { text, usage } = await complete({ what: 'file', text: EN + ZH, language: 'en', ask: 'budget' }, maxTokens);
      expect(text).not.toBe('');
      expect(usage.completionTokens).toBeLessThanOrEqual(maxTokens);
    }
  });
});

describe('notes on several texts', () => {
  const merge = async () => {
    const zh = await answer({ what: 'file', text: ZH, language: 'zh-CN', ask: '' });
    const en = await answer({ what: 'file', text: EN, language: 'en', ask: '' });
    return { zh, en, merged: await answer({ what: 'merge', texts: [zh, en, zh], language: 'en', ask: '' }) };
  };

  it('say nothing twice and keep both conclusions and the data', async () => {
    const { merged } = await merge();
    const points = bulletsUnder('**Key points:**', merged);
    expect(new Set(points).size).toBe(points.length);
    expect(points.some((point) => point.startsWith('- 会议决定：批准 TL-204'))).toBe(true);
    expect(points.some((point) => point.startsWith('- Decision: the new budget'))).toBe(true);
    const data = bulletsUnder('**Important data:**', merged);
    expect(new Set(data).size).toBe(data.length);
    expect(data).toContain('- 12 万元 · 9.5 万元 — 预算由 12 万元降到 9.5 万元');
  });

  it('keep two findings that differ in a number only', async () => {
    const texts = ['- The Berlin office has 12 employees.', '- The Berlin office has 13 employees.'];
    const merged = await answer({ what: 'merge', texts, language: 'en', ask: '' });
    expect(bulletsUnder('**Key points:**', merged)).toEqual(texts);
  });

  it('read what a language model wrote in its own words', async () => {
    const texts = [
      '## Summary\n\nThe budget fell to **9.5** million.\n\n1. Quality is a risk.',
      'Important data:\n- 15 March',
    ];
    const merged = await answer({ what: 'join', texts, language: 'en', ask: '' });
    expect(merged).toContain('- The budget fell to **9.5** million.');
    expect(bulletsUnder('**Important data:**', merged)).toEqual(['- 15 March']);
  });

  it('make the four sections of a report', async () => {
    const { zh, en } = await merge();
    const section = (name: 'executive_summary' | 'main_findings' | 'patterns' | 'conclusions') =>
      answer({ what: 'section', section: name, texts: [zh, en], language: 'en', ask: '' });
    expect(await section('executive_summary')).toContain('Decision: the new budget for TL-204 is approved');
    expect(await section('main_findings')).toMatch(/^- .+\n- .+/);
    expect(await section('patterns')).toContain('- tl-204: in 2 of 2 notes');
    expect(await section('conclusions')).toContain('会议决定：批准 TL-204');
  });

  it('say honestly when there is nothing to say', async () => {
    const texts = ['- Anna likes trees.', '- Tom saw a bird.'];
    const material = { what: 'section', texts, ask: '' } as const;
    expect(await answer({ ...material, section: 'conclusions', language: 'en' })).toBe(
      'No explicit conclusions were found in the texts.',
    );
    expect(await answer({ ...material, section: 'conclusions', language: 'zh-CN' })).toBe('文本中没有找到明确的结论。');
    expect(await answer({ ...material, section: 'patterns', language: 'en' })).toBe(
      'No word, date or figure comes up in more than one of the notes.',
    );
  });
});

describe('the model', () => {
  const material: Material = { what: 'file', text: ZH + EN, language: 'zh-CN', ask: '预算' };

  it('gives equal requests equal answers', async () => {
    const texts = await Promise.all([answer(material), answer(material), answer({ ...material })]);
    expect(new Set(texts).size).toBe(1);
  });

  it('answers whole, under its own name, with usage marked as an estimate', async () => {
    const seen: string[] = [];
    const result = await model.complete(request(material), {
      signal: new AbortController().signal,
      onText: (text) => seen.push(text),
    });
    expect(result).toMatchObject({
      ok: true,
      value: { finishReason: 'stop', model: 'built-in/textrank-1', usage: { estimated: true } },
    });
    expect(result.ok && seen.at(-1) === result.value.text).toBe(true);
    expect(model.identity).toBe('built-in/textrank-1');
  });

  it('stops when told to, before and while it waits its turn', async () => {
    const before = AbortSignal.abort();
    await expect(model.complete(request(material), { signal: before })).rejects.toHaveProperty('name', 'AbortError');
    const controller = new AbortController();
    const asked = model.complete(request(material), { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toHaveProperty('name', 'AbortError');
    await expect(model.probe(before)).rejects.toHaveProperty('name', 'AbortError');
  });

  it('is always there', async () => {
    expect(await model.probe(new AbortController().signal)).toEqual({ ok: true, value: undefined });
  });

  it('reads 200 kB in one go', async () => {
    const text = Array.from({ length: 5 }, longText).join('\n');
    expect(new TextEncoder().encode(text).length).toBeGreaterThan(200_000);
    expect(await answer({ what: 'file', text, language: 'zh-CN', ask: '' })).toMatch(/\*\*要点：\*\*\n(?:- .+\n?){5}/);
  });
});
