import { WAITING_STATES, type EffectRow } from '../../core/effect';
import type { Digest } from '../../core/ports';
import { allOk, ok, type Result } from '../../core/result';
import type { OutputFile } from '../job';
import type { OwnedTask } from '../owned-task';
import { untilStored } from '../until-stored';
import type { EffectDoer } from './effect-doer';
import { EffectLedger, type Operation } from './effect-ledger';
import { nextWrite } from './next-write';
import { outputHistory, type OutputHistory } from './output-history';

const FILES_A_COMMIT = 64;
/** Whole files are in memory while they wait for their commit. */
const CHARACTERS_A_COMMIT = 8 * 1024 * 1024;

export interface FilesWritten {
  /** Carried out now. */
  readonly written: number;
  /** Files that wait for the person. */
  readonly waiting: number;
}

/** The files of a task's output on their way into its folder: what has to be written, and how it went so far. */
export class OutputFiles {
  readonly #owned: OwnedTask;
  readonly #doer: EffectDoer;
  readonly #ledger: EffectLedger;
  readonly #history: OutputHistory;
  readonly #isBeforeLedger: boolean;
  #batch: OutputFile[] = [];
  #written = 0;
  #waiting = 0;

  private constructor(owned: OwnedTask, doer: EffectDoer, history: OutputHistory) {
    this.#owned = owned;
    this.#doer = doer;
    this.#ledger = new EffectLedger(owned, doer);
    this.#history = history;
    this.#isBeforeLedger = history.size === 0 && owned.row.outputPath !== null;
  }

  static async open(owned: OwnedTask, doer: EffectDoer): Promise<Result<OutputFiles>> {
    const { clock, store } = owned.ports;
    const history = await untilStored(clock, owned.signal, () => outputHistory(store, owned.row.id));
    return history.ok ? ok(new OutputFiles(owned, doer, history.value)) : history;
  }

  /** Takes a file; carries a batch out when it is full. Failures: those of the ledger. */
  async put(file: OutputFile): Promise<Result<void>> {
    this.#batch.push(file);
    const characters = this.#batch.reduce((sum, { content }) => sum + content.length, 0);
    return this.#batch.length < FILES_A_COMMIT && characters < CHARACTERS_A_COMMIT ? ok() : this.#flush();
  }

  /** Carries out what is left. Failures: those of the ledger. */
  async end(): Promise<Result<FilesWritten>> {
    const flushed = await this.#flush();
    return flushed.ok ? ok({ written: this.#written, waiting: this.#waiting }) : flushed;
  }

  async #flush(): Promise<Result<void>> {
    const batch = this.#batch;
    this.#batch = [];
    const superseded: EffectRow[] = [];
    const looked = allOk(await Promise.all(batch.map((file) => this.#operation(file, superseded))));
    if (!looked.ok) return looked;
    const rows = await this.#ledger.carryOut(
      looked.value.flatMap((operation) => (operation === null ? [] : [operation])),
      superseded,
    );
    if (!rows.ok) return rows;
    this.#written += rows.value.filter(({ state }) => state === 'done').length;
    this.#waiting += rows.value.filter(({ state }) => WAITING_STATES.includes(state)).length;
    return ok();
  }

  async #operation(
    { path: target, content: payload }: OutputFile,
    superseded: EffectRow[],
  ): Promise<Result<Operation | null>> {
    const seen = await this.#doer.look(target);
    if (!seen.ok) return seen;
    const after = await digestOf(this.#owned.ports.digest, payload);
    const next = nextWrite(this.#history.get(target) ?? null, {
      after,
      seen: seen.value,
      isBeforeLedger: this.#isBeforeLedger,
      nowMs: this.#owned.ports.clock.now(),
    });
    if (next === null) return ok(null);
    if (next.superseded) superseded.push(next.superseded);
    const { nth, before } = next;
    return ok({ stepKey: null, target, nth, before, after, payload, seen: seen.value });
  }
}

function digestOf(digest: Digest, content: string) {
  return digest.bytes(new TextEncoder().encode(content));
}
