import { describe, expect, it, vi } from 'vitest';
import { fileStepKey, taskId, type StepKey } from '../core/ids';
import { NO_FLAGS, type StepRow, type StepStatus } from '../core/step';
import { NO_USAGE } from '../core/usage';
import { TaskFiles, type FileReader } from './task-files.svelte';

function row(path: string, seq: number, status: StepStatus = 'pending'): StepRow {
  return {
    v: 1,
    taskId: taskId('t'),
    key: fileStepKey(path),
    type: 'file',
    status,
    seq,
    file: { path, sizeBytes: 1, modifiedMs: 0, digest: null },
    inputs: [],
    level: 0,
    inputHash: null,
    resultKey: null,
    excerpt: '',
    outputTokens: 0,
    attempts: 0,
    history: [],
    failure: null,
    flags: NO_FLAGS,
    usage: NO_USAGE,
    durationMs: 0,
    finishedMs: null,
    requests: 0,
    reading: null,
  };
}

/** Step rows as the store holds them, with a count of what was read. */
class Rows implements FileReader {
  readonly byKey = new Map<StepKey, StepRow>();
  seq = 0;
  reads = 0;
  rowsRead = 0;
  broken = false;

  commit(...paths: readonly (readonly [string, StepStatus])[]): number {
    this.seq += 1;
    for (const [path, status] of paths) this.byKey.set(fileStepKey(path), row(path, this.seq, status));
    return this.seq;
  }

  async files(after: StepKey | null, limit: number): Promise<readonly StepRow[]> {
    const keys = [...this.byKey.keys()].sort().filter((key) => after === null || key > after);
    return this.#answer(keys.slice(0, limit).flatMap((key) => this.byKey.get(key) ?? []));
  }

  async since(seq: number): Promise<readonly StepRow[]> {
    return this.#answer([...this.byKey.values()].filter((each) => each.seq > seq).sort((a, b) => a.seq - b.seq));
  }

  #answer(page: readonly StepRow[]): readonly StepRow[] {
    if (this.broken) throw new Error('closed');
    this.reads += 1;
    this.rowsRead += page.length;
    return page;
  }
}

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => [`${String(n).padStart(5, '0')}.txt`, 'pending'] as const);

function statuses(files: TaskFiles) {
  return files.list.rows.map((each) => `${each.path} ${each.status}`);
}

describe('TaskFiles', () => {
  it('reads everything once, then only what changed', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 1);
    files.follow(rows.commit(...many(1_200)), 1_200);
    await vi.waitFor(() => expect(files.loaded).toBe(true));
    expect(files.list.rows).toHaveLength(1_200);
    const before = rows.rowsRead;
    files.follow(rows.commit(['00007.txt', 'done']), 1_200);
    await vi.waitFor(() => expect(files.list.rows[7]?.status).toBe('done'));
    expect(rows.rowsRead - before).toBe(1);
    files.stop();
  });

  it('reads a storm of commits a few times only', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 20);
    files.follow(rows.commit(...many(50)), 50);
    await vi.waitFor(() => expect(files.loaded).toBe(true));
    const before = rows.reads;
    for (let n = 0; n < 50; n += 1) files.follow(rows.commit([`${String(n).padStart(5, '0')}.txt`, 'done']), 50);
    await vi.waitFor(() => expect(files.list.rows.every((each) => each.status === 'done')).toBe(true));
    expect(rows.reads - before).toBeLessThanOrEqual(2);
    files.stop();
  });

  it('notices files that went away', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 1);
    files.follow(rows.commit(['a', 'done'], ['b', 'done'], ['c', 'done']), 3);
    await vi.waitFor(() => expect(files.loaded).toBe(true));
    rows.byKey.delete(fileStepKey('b'));
    files.follow(rows.commit(['c', 'pending']), 2);
    await vi.waitFor(() => expect(statuses(files)).toEqual(['a done', 'c pending']));
    files.stop();
  });

  it('does not read for ever when counts and rows disagree', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 1);
    files.follow(rows.commit(['a', 'done']), 5);
    await vi.waitFor(() => expect(rows.reads).toBe(2));
    files.follow(rows.commit(['a', 'pending']), 5);
    await vi.waitFor(() => expect(statuses(files)).toEqual(['a pending']));
    expect(rows.reads).toBe(3);
    files.stop();
  });

  it('goes on after storage failed', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 1);
    rows.broken = true;
    files.follow(rows.commit(['a', 'done']), 1);
    rows.broken = false;
    await vi.waitFor(() => expect(statuses(files)).toEqual(['a done']));
    files.stop();
  });

  it('shows the end of a task at once, however fresh the last read is', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 3_600_000);
    files.follow(rows.commit(['a', 'running']), 1);
    await vi.waitFor(() => expect(statuses(files)).toEqual(['a running']));
    files.follow(rows.commit(['a', 'done']), 1, true);
    await vi.waitFor(() => expect(statuses(files)).toEqual(['a done']));
    files.stop();
  });

  it('does not leave out an end that comes in the middle of a read', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 3_600_000);
    files.follow(rows.commit(['a', 'running']), 1);
    files.follow(rows.commit(['a', 'done']), 1, true);
    await vi.waitFor(() => expect(statuses(files)).toEqual(['a done']));
    files.stop();
  });

  it('reads nothing once stopped', async () => {
    const rows = new Rows();
    const files = new TaskFiles(rows, 1);
    files.stop();
    files.follow(rows.commit(['a', 'done']), 1);
    expect(rows.reads).toBe(0);
  });
});
