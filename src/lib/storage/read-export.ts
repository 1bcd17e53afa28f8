/**
 * Reads what `exportLines` wrote, line by line. All of it is checked before any of it is used: one line that is not as it
 * must be, and there is no task.
 */
import * as v from 'valibot';
import type { ActivityRow } from '../core/activity';
import type { CheckpointRow } from '../core/checkpoint';
import type { EffectRow } from '../core/effect';
import { failure, type Failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import type { FolderRow } from '../core/folder';
import { taskId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';
import { SCHEMA_VERSION } from './database';
import { id } from './exported-fields';
import { exportedShapes, type ExportedShapes } from './exported-shapes';
import { EXPORT_VERSION } from './task-export';

/** A task as it lay where it was exported, every row checked. */
export interface ExportedTask {
  /** What the task was asking when it was saved; null for what needs no model, and where nobody knows. */
  readonly model: string | null;
  readonly task: TaskRow;
  readonly folder: FolderRow | null;
  readonly steps: readonly StepRow[];
  readonly results: readonly ResultRow[];
  readonly activity: readonly ActivityRow[];
  readonly effects: readonly EffectRow[];
  readonly checkpoints: readonly CheckpointRow[];
}

const headShape = v.looseObject({
  talaria: v.literal('task'),
  v: v.pipe(v.number(), v.integer(), v.minValue(1)),
  id,
  model: v.optional(v.string(), ''),
  layout: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

const rowLine = v.looseObject({ table: v.string(), row: v.looseObject({}) });
/** What the journal said is in the rows too. A text that was still coming in is asked for again. */
const passedOver = v.union([
  v.looseObject({ journal: v.string(), seq: v.number(), entry: v.looseObject({}) }),
  v.looseObject({ table: v.literal('partials') }),
]);
const endLine = v.strictObject({ end: v.literal(true), lines: v.number() });

/**
 * Failures: `import_unreadable` with the `line` that is wrong or missing, counted from 1, and `import_from_newer_version`.
 */
export async function readExport(lines: AsyncIterable<string>): Promise<Result<ExportedTask>> {
  const reading = new Reading();
  try {
    for await (const line of lines) reading.take(line);
    return ok(reading.finish());
  } catch (error) {
    if (error instanceof FailureError) return fail(error.failure);
    throw error;
  }
}

class Reading {
  #line = 0;
  #shapes: ExportedShapes | null = null;
  #hasEnded = false;
  #model = '';
  readonly #rows = new Map<string, Map<string, object>>();

  take(text: string): void {
    this.#line += 1;
    if (this.#hasEnded) throw this.#wrong('a line after the end');
    const said = this.#parsed(text);
    if (this.#shapes === null) {
      this.#shapes = this.#shapesFor(said);
      return;
    }
    const end = v.safeParse(endLine, said);
    if (end.success) {
      if (end.output.lines !== this.#line - 2) throw this.#wrong('lines are missing before it');
      this.#hasEnded = true;
    } else if (!v.is(passedOver, said)) this.#keep(this.#shapes, this.#as(rowLine, said));
  }

  /** Once all lines were taken. */
  finish(): ExportedTask {
    this.#line += 1;
    const rows = <T>(table: string) => [...(this.#rows.get(table)?.values() ?? [])] as T[];
    const [task] = rows<TaskRow>('tasks');
    if (!this.#hasEnded || task === undefined) throw this.#wrong('no end, or no task');
    const results = rows<ResultRow>('results');
    return {
      model: this.#model || lastModelOf(results),
      task,
      folder: rows<FolderRow>('folders')[0] ?? null,
      steps: rows('steps'),
      results,
      activity: rows('activity'),
      effects: rows('effects'),
      checkpoints: rows('checkpoints'),
    };
  }

  #shapesFor(said: unknown): ExportedShapes {
    const head = this.#as(headShape, said);
    if (head.v > EXPORT_VERSION || head.layout > SCHEMA_VERSION) throw this.#newer(Math.max(head.v, head.layout));
    this.#model = head.model;
    return exportedShapes(taskId(head.id));
  }

  #keep(shapes: ExportedShapes, { table, row }: v.InferOutput<typeof rowLine>): void {
    const { v: version } = row;
    if (typeof version === 'number' && version > 1) throw this.#newer(version);
    const shape = Object.hasOwn(shapes, table) ? shapes[table] : undefined;
    if (shape === undefined) throw this.#wrong(`no table is called so`);
    this.#as(shape, row);
    const kept = this.#rows.get(table) ?? new Map<string, object>();
    this.#rows.set(table, kept);
    const key = keyWithin(table, row);
    const before = kept.get(key);
    if (before === undefined) kept.set(key, row);
    else if (!isSaidAgain(table, before, row)) throw this.#wrong('a row that there was before');
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#wrong('not JSON');
    }
  }

  #as<T extends v.GenericSchema>(shape: T, value: unknown): v.InferOutput<T> {
    const parsed = v.safeParse(shape, value, { abortEarly: true });
    if (parsed.success) return parsed.output;
    throw this.#wrong(`${v.getDotPath(parsed.issues[0]) ?? ''} ${parsed.issues[0].message}`);
  }

  #wrong(message: string): FailureError {
    return new FailureError(importUnreadable(this.#line, message));
  }

  #newer(version: number): FailureError {
    return new FailureError(failure('import_from_newer_version', { details: { line: this.#line, version } }));
  }
}

/** What no other row of its table has in common with it. There is one task, and one folder. */
function keyWithin(table: string, row: Readonly<Record<string, unknown>>): string {
  const { key, seq, n } = row;
  return JSON.stringify(table === 'activity' ? [seq, n] : table === 'checkpoints' ? seq : key);
}

/** Files of the first version do not say more. */
function lastModelOf(results: readonly ResultRow[]): string | null {
  const answers = results.filter(({ model }) => model !== '');
  return answers.sort((a, b) => b.createdMs - a.createdMs)[0]?.model ?? null;
}

/** Steps that have one answer may each have brought it along. */
function isSaidAgain(table: string, before: object, row: object): boolean {
  return table === 'results' && Reflect.get(before, 'output') === Reflect.get(row, 'output');
}

export function importUnreadable(line: number, message: string): Failure {
  return failure('import_unreadable', { message: `line ${line}: ${message}`, details: { line } });
}
