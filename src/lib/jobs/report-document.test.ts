import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { taskId } from '../core/ids';
import type { StepRow } from '../core/step';
import { newFileStep } from '../engine/step-rows';
import { newTask } from '../testing/engine-bench';
import { composeReport } from './report-document';

function file(path: string, change: Partial<StepRow> = {}): StepRow {
  const step = newFileStep(taskId('t'), { path, sizeBytes: 1, modifiedMs: 1, digest: null });
  return { ...step, status: 'done', ...change };
}

const QUOTING = 'built-in/textrank-1';
const SECTIONS = ['## Executive summary\nAll is well.', '# Big\n- one', 'both', 'none'];

describe('the report', () => {
  it('lists every file with its state and reason', () => {
    const report = composeReport({
      task: newTask(),
      models: ['hermes'],
      sections: SECTIONS,
      files: [
        file('a.txt'),
        file('b.txt', { status: 'failed', failure: failure('request_rejected') }),
        file('c.txt', { status: 'skipped', failure: failure('file_empty') }),
      ],
    });
    expect(report).toContain('1 of 3 files · 1 failed · 1 skipped');
    expect(report).toContain('| [a.txt](results/a.txt.md) | done |  |');
    expect(report).toContain('| b.txt | failed | reason: request\\_rejected |');
    expect(report).toContain('| c.txt | skipped | empty |');
  });

  it('keeps its own headings on top: a model that repeats one, or shouts, changes nothing', () => {
    const report = composeReport({ task: newTask(), models: ['m'], sections: SECTIONS, files: [file('a.txt')] });
    expect(report.match(/^## /gm)).toHaveLength(5);
    expect(report.match(/^# /gm)).toHaveLength(1);
    expect(report.match(/Executive summary/g)).toHaveLength(1);
  });

  it('SEC-01, SEC-02: names and wishes are text, not Markdown', () => {
    const path =
      '![x](http://evil.invalid/p.png) www.evil.invalid a@evil.invalid | <img src=x onerror=1> [c](javascript:1).txt';
    const task = {
      ...newTask(),
      name: '# **big** <script>',
      options: { ...newTask().options, instructions: '![i](http://x)' },
    };
    const html = marked.parse(composeReport({ task, models: ['m'], sections: ['', '', '', ''], files: [file(path)] }), {
      async: false,
    });
    expect(html).not.toContain('<img');
    expect(html).not.toContain('<script');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).not.toContain('href="javascript');
  });

  it('keeps its list of files whatever a model leaves open, and links each of them', () => {
    const names = ['a(b.txt', 'c).txt', 'plain.txt'];
    const sections = ['```\ncut', '<!-- cut', '<pre>', '~~~'];
    const report = composeReport({ task: newTask(), models: ['m'], sections, files: names.map((name) => file(name)) });
    const html = marked.parse(report, { async: false });
    expect(html.match(/<h2>/g)).toHaveLength(5);
    for (const name of names)
      expect(html).toMatch(new RegExp(`<a href="results/[^"]*">${name.replace(/[().]/g, '\\$&')}</a>`));
  });

  it('says when no language model was used, and speaks the language of the task', () => {
    const task = { ...newTask(), options: { ...newTask().options, language: 'zh-CN' as const } };
    const report = composeReport({ task, models: [QUOTING], sections: SECTIONS, files: [file('a.txt')] });
    expect(report).toContain('模型：textrank-1');
    expect(report).toContain('未使用语言模型：每一句');
    expect(report).toContain('## 跨文件的共性模式');
  });

  it('names every model whose answers are in it, and tells what only quotes from what a model wrote', () => {
    const of = (...models: string[]) =>
      composeReport({ task: newTask(), models, sections: SECTIONS, files: [file('a.txt')] });
    expect(of('hermes')).toContain('· Model: hermes\n');
    expect(of('hermes')).not.toContain('language model');
    expect(of('hermes', 'org/qwen')).toContain('· Models: hermes, org/qwen\n');
    expect(of('hermes', QUOTING)).toContain('· Models: hermes, textrank-1\n');
    expect(of('hermes', QUOTING)).toContain('*Made in part without a language model');
    expect(of(QUOTING)).toContain('*Made without a language model');
    expect(of(...Array.from({ length: 900 }, (_, n) => `m${String(n)}`))).toContain('m5, …\n');
    expect(of('<img src=x>')).toContain('\\<img src=x\\>');
  });

  it('is the same for the same rows: no time is in it', () => {
    const matter = { task: newTask(), models: ['m'], sections: SECTIONS, files: [file('a.txt')] };
    const later = { ...matter, task: { ...matter.task, updatedMs: 99, finishedMs: 99, activeMs: 7 } };
    expect(composeReport(later)).toBe(composeReport(matter));
  });
});
