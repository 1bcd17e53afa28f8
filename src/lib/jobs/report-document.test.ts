import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { BUILT_IN, taskId } from '../core/ids';
import type { StepRow } from '../core/step';
import { newFileStep } from '../engine/step-rows';
import { newTask } from '../testing/engine-bench';
import { composeReport } from './report-document';

function file(path: string, change: Partial<StepRow> = {}): StepRow {
  const step = newFileStep(taskId('t'), { path, sizeBytes: 1, modifiedMs: 1, digest: null });
  return { ...step, status: 'done', ...change };
}

const SECTIONS = ['## Executive summary\nAll is well.', '# Big\n- one', 'both', 'none'];

describe('the report', () => {
  it('lists every file with its state and reason', () => {
    const report = composeReport({
      task: newTask(),
      model: 'hermes',
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
    const report = composeReport({ task: newTask(), model: 'm', sections: SECTIONS, files: [file('a.txt')] });
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
    const html = marked.parse(composeReport({ task, model: 'm', sections: ['', '', '', ''], files: [file(path)] }), {
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
    const report = composeReport({ task: newTask(), model: 'm', sections, files: names.map((name) => file(name)) });
    const html = marked.parse(report, { async: false });
    expect(html.match(/<h2>/g)).toHaveLength(5);
    for (const name of names)
      expect(html).toMatch(new RegExp(`<a href="results/[^"]*">${name.replace(/[().]/g, '\\$&')}</a>`));
  });

  it('says when no language model was used, and speaks the language of the task', () => {
    const task = { ...newTask(), endpointId: BUILT_IN, options: { ...newTask().options, language: 'zh-CN' as const } };
    const report = composeReport({ task, model: 'm', sections: SECTIONS, files: [file('a.txt')] });
    expect(report).toContain('未使用语言模型');
    expect(report).toContain('## 跨文件的共性模式');
  });

  it('is the same for the same rows: no time is in it', () => {
    const matter = { task: newTask(), model: 'm', sections: SECTIONS, files: [file('a.txt')] };
    const later = { ...matter, task: { ...matter.task, updatedMs: 99, finishedMs: 99, activeMs: 7 } };
    expect(composeReport(later)).toBe(composeReport(matter));
  });
});
