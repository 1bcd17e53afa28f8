import { PROBES, type DoctorReport, type FindingName, type ProbeName, type ProbeReport } from '../core/doctor';
import type { Failure } from '../core/failure';
import type { Clock } from '../core/ports';
import { throwIfAborted } from './abort';
import type { Outcome } from './probes/probe-context';

/** Says what is being waited for, while a probe runs. */
type Tell = (name: FindingName) => void;

/** Runs probes one after the other and keeps what each came to. */
export class Examination {
  readonly startedMs: number;
  readonly #reports = new Map<ProbeName, ProbeReport>();
  #failure: Failure | null = null;

  constructor(
    readonly clock: Clock,
    readonly signal: AbortSignal,
    readonly onProbe: (probe: ProbeReport) => void,
  ) {
    this.startedMs = clock.monotonicMs();
  }

  /** False when the probe failed. Rejects with `AbortError` when the examination was aborted meanwhile. */
  async run(probe: ProbeName, work: (tell: Tell) => Promise<Outcome> | Outcome): Promise<boolean> {
    const running = { probe, state: 'running', failure: null, finding: null, tookMs: null } as const;
    this.#set(running);
    const startedMs = this.clock.monotonicMs();
    const outcome = await work((name) => this.#set({ ...running, finding: { name, details: {} } }));
    throwIfAborted(this.signal);
    const tookMs = this.clock.monotonicMs() - startedMs;
    if (outcome.state !== 'failed') {
      this.#set({ probe, state: outcome.state, failure: null, finding: outcome.finding, tookMs });
      return true;
    }
    this.#set({ probe, state: 'failed', failure: outcome.failure, finding: null, tookMs });
    this.#failure = outcome.failure;
    return false;
  }

  /** What came to light later of a probe that is over. */
  correct(probe: ProbeName, outcome: Outcome): void {
    const known = this.#reports.get(probe);
    if (!known) return;
    const { state } = outcome;
    if (state === 'failed') this.#set({ ...known, state, failure: outcome.failure, finding: null });
    else this.#set({ ...known, state, finding: outcome.finding });
  }

  report(found: Omit<DoctorReport, 'state' | 'failure' | 'probes'>): DoctorReport {
    for (const probe of PROBES) {
      if (this.#reports.has(probe)) continue;
      this.#set({ probe, state: 'skipped', failure: null, finding: null, tookMs: null });
    }
    const probes = PROBES.flatMap((probe) => this.#reports.get(probe) ?? []);
    return { state: this.#failure?.code ?? 'ready', failure: this.#failure, probes, ...found };
  }

  #set(report: ProbeReport): void {
    this.#reports.set(report.probe, report);
    this.onProbe(report);
  }
}
