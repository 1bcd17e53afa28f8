import * as v from 'valibot';
import type { FinishReason } from '../../core/model';
import type { JsonValue } from '../../core/json-value';
import type { CallDraft } from '../../core/tool';
import { isWholeAnswer, readArguments } from './call-draft';

const lenient = <T extends v.GenericSchema>(schema: T) => v.fallback(v.nullish(schema), null);

const Delta = v.object({
  index: lenient(v.pipe(v.number(), v.integer())),
  id: lenient(v.string()),
  function: lenient(v.object({ name: lenient(v.string()), arguments: v.optional(v.unknown()) })),
});
const Deltas = v.array(v.fallback(v.nullable(Delta), null));
const Carrier = v.object({ tool_calls: v.fallback(v.nullish(Deltas), null) });

/** As deep as arguments in a text may be; what goes deeper cannot be stored or sent again. */
const MAX_DEPTH = 100;

interface Gathered {
  readonly index: number | null;
  readonly serverId: string;
  name: string;
  text: string;
  /** Arguments that came as a value; `undefined` when none did. */
  value: JsonValue | undefined;
  /** Its arguments came in two forms at once, or in one that nobody can handle. */
  isTorn: boolean;
}

/**
 * Gathers the `tool_calls` of a `delta` or a whole `message`. A call begins with an id that is new, also at an index that is
 * taken; without ids with a new index, or with a name once the arguments before are whole. Ids of the server only tell calls
 * apart: they change from try to try and go no further.
 */
export class NativeCalls {
  readonly #calls: Gathered[] = [];

  /** Takes a `delta` or a `message` as it came; what is none is nothing. */
  push(carrier: unknown): void {
    const parsed = v.safeParse(Carrier, carrier);
    if (!parsed.success) return;
    for (const delta of parsed.output.tool_calls ?? []) if (delta !== null) this.#take(delta);
  }

  /**
   * The calls in their order. With a reason that cut the answer the last one is `cut`, even when it looks whole: servers
   * close what they cut. Without any reason all are.
   */
  end(finish: FinishReason | null): readonly CallDraft[] {
    const isWhole = isWholeAnswer(finish);
    return this.#calls.map((call, n) => {
      const isCut = finish === null || (!isWhole && n === this.#calls.length - 1);
      return draftOfGathered(call, isWhole, isCut);
    });
  }

  #take(delta: v.InferOutput<typeof Delta>): void {
    const name = delta.function?.name ?? '';
    const given = delta.function?.arguments;
    const brings = given !== undefined && given !== null && given !== '';
    const call = this.#callFor(delta.index ?? null, delta.id ?? '', name, brings);
    // Some repeat the name with every piece, some send it in pieces.
    if (call.text === '' && call.name !== name) call.name += name;
    if (typeof given === 'string') call.text += given;
    else if (brings) {
      call.isTorn ||= call.value !== undefined || !nestsWithin(given, MAX_DEPTH);
      call.value = call.isTorn ? null : (given as JsonValue);
    }
    call.isTorn ||= call.value !== undefined && call.text.trim() !== '';
  }

  #callFor(index: number | null, serverId: string, name: string, brings: boolean): Gathered {
    const known = serverId === '' ? undefined : this.#calls.findLast((call) => call.serverId === serverId);
    if (known && (index === null || known.index === index)) return known;
    const before = this.#calls.findLast((call) => index === null || call.index === index);
    // The same name without arguments is a repetition, never a call of its own.
    const isNew = name !== '' && (brings || name !== before?.name) && before !== undefined && hasWholeArguments(before);
    if (before && serverId === '' && !isNew) return before;
    const begun = { index, serverId, name: '', text: '', value: undefined, isTorn: false };
    this.#calls.push(begun);
    return begun;
  }
}

function hasWholeArguments({ text, value }: Gathered): boolean {
  return value !== undefined || (text.trim() !== '' && readArguments(text, false).read === 'whole');
}

function nestsWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => nestsWithin(inner, depth - 1));
}

function draftOfGathered(call: Gathered, mayClose: boolean, isCut: boolean): CallDraft {
  const raw = call.value === undefined ? call.text : JSON.stringify(call.value);
  const name = call.name.trim() === '' ? null : call.name.trim();
  if (isCut) return { read: 'cut', name, raw };
  if (name === null) return { read: 'nameless', name, raw };
  if (call.isTorn) return { read: 'unreadable', name, raw: call.text + raw };
  const given = readArguments(call.value ?? call.text, mayClose);
  if (given.read !== 'whole') return { read: given.read, name, raw };
  return { read: 'whole', name, arguments: given.value, raw };
}
