import { repairBaseUrl } from '../core/base-url';
import { PROBES, type DoctorReport, type ModelListing, type ProbeName, type ProbeReport } from '../core/doctor';
import type { EndpointSettings } from '../core/endpoint-settings';
import type { Failure } from '../core/failure';
import type { Clock, Network } from '../core/ports';
import { throwIfAborted } from './abort';
import { corsBlocked, findModel, probeAnswer, probeList, probeReach, type ProbeContext } from './doctor-probes';
import { isSendableKey } from './key-form';
import { queryLocalNetwork, type PermissionQuery } from './local-network';
import { made } from './map-error';
import { openClient } from './openai-client';

export interface DoctorOptions {
  /** As typed. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  /** @default nothing set */
  readonly settings?: EndpointSettings;
  readonly clock: Clock;
  readonly network: Network;
  readonly signal: AbortSignal;
  /** Called when a probe starts and when it is over. */
  readonly onProbe: (probe: ProbeReport) => void;
  readonly fetch?: typeof fetch;
  readonly permission?: PermissionQuery;
  /** @default the address of the page or worker */
  readonly pageUrl?: string | null;
}

/** The whole examination; a reader waits no longer than that. */
const WHOLE_LIMIT_MS = 10_000;
const RECHECK_LIMIT_MS = 1_000;
const LONGEST_ANSWER_MS = 5_000;

type Outcome = 'passed' | 'skipped' | Failure;

/**
 * Finds out why an endpoint cannot be used, cheapest question first, and stops at the first answer. Takes at most some
 * 10 s. Rejects with `AbortError` when it is aborted.
 */
export async function testEndpoint(options: DoctorOptions): Promise<DoctorReport> {
  const examination = new Examination(options.clock, options.onProbe);
  const startedMs = options.clock.monotonicMs();
  let models: readonly ModelListing[] = [];
  let firstTokenMs: number | null = null;
  let baseUrl = options.baseUrl.trim();
  const report = (): DoctorReport => examination.report({ models, firstTokenMs, baseUrl });
  const run = async (name: ProbeName, work: () => Promise<Outcome> | Outcome) => {
    const passed = await examination.run(name, work);
    throwIfAborted(options.signal);
    return passed;
  };
  throwIfAborted(options.signal);

  const isUsable = await run('url', () => {
    const repaired = repairBaseUrl(options.baseUrl);
    if (!repaired.ok) return repaired.failure;
    baseUrl = repaired.value.url;
    return 'passed';
  });
  if (!isUsable) return report();
  const context = probeContext({ ...options, baseUrl });
  const { errors } = context;

  if (!(await run('reachable', async () => outcome(await probeReach(context))))) return report();
  let refusal: Failure | null = null;
  let isListed = false;
  const isReadable = await run('cors', async () => {
    const listed = await probeList(context);
    if (!listed.ok) return listed.failure;
    ({ refusal } = listed.value);
    isListed = listed.value.models !== null && listed.value.models.length > 0;
    models = listed.value.models ?? [];
    return 'passed';
  });
  if (!isReadable) return report();
  const isLetIn = await run('key', () => {
    if (!isSendableKey(options.key)) return made(errors, 'auth_failed', 'the key holds characters that cannot be sent');
    return refusal?.code === 'auth_failed' ? refusal : 'passed';
  });
  if (!isLetIn) return report();
  const isFound = await run('model', () => {
    if (refusal?.code === 'endpoint_loading') return refusal;
    return isListed ? (findModel(models, errors.model, errors) ?? 'passed') : 'skipped';
  });
  if (!isFound) return report();
  await run('answer', async () => {
    const leftMs = startedMs + WHOLE_LIMIT_MS - RECHECK_LIMIT_MS - options.clock.monotonicMs();
    const answered = await probeAnswer(context, Math.min(LONGEST_ANSWER_MS, Math.max(RECHECK_LIMIT_MS, leftMs)));
    if (answered.ok) {
      firstTokenMs = answered.value;
      return 'passed';
    }
    if (answered.failure.code !== 'endpoint_unreachable' || context.pageUrl === null) return answered.failure;
    // The list needs no preflight, a question does: a server that is still there refused only that.
    const isThere = await probeReach(context, RECHECK_LIMIT_MS);
    return isThere.ok ? corsBlocked(context) : answered.failure;
  });
  return report();
}

function probeContext(options: DoctorOptions): ProbeContext {
  const { baseUrl, key, clock, network, signal } = options;
  const here: { readonly location?: { readonly href: string } } = globalThis;
  const pageUrl = options.pageUrl === undefined ? (here.location?.href ?? null) : options.pageUrl;
  const inner = options.fetch ?? fetch;
  return {
    errors: { baseUrl, model: options.model.trim(), key, nowMs: clock.now(), online: network.online },
    client: openClient({
      baseUrl,
      key: isSendableKey(key) ? key : null,
      headers: options.settings?.headers ?? {},
      fetch: inner,
    }),
    ...(options.settings ? { shape: options.settings } : {}),
    clock,
    fetch: (input, init) => inner(input, init),
    permission: options.permission ?? queryLocalNetwork,
    pageUrl,
    signal,
  };
}

function outcome(result: { ok: true } | { ok: false; failure: Failure }): Outcome {
  return result.ok ? 'passed' : result.failure;
}

class Examination {
  readonly #reports = new Map<ProbeName, ProbeReport>();
  #failure: Failure | null = null;

  constructor(
    readonly clock: Clock,
    readonly onProbe: (probe: ProbeReport) => void,
  ) {}

  /** False when the probe failed. */
  async run(probe: ProbeName, work: () => Promise<Outcome> | Outcome): Promise<boolean> {
    this.#set({ probe, state: 'running', failure: null, tookMs: null });
    const startedMs = this.clock.monotonicMs();
    const found = await work();
    const tookMs = this.clock.monotonicMs() - startedMs;
    const isFailure = typeof found !== 'string';
    this.#set({ probe, state: isFailure ? 'failed' : found, failure: isFailure ? found : null, tookMs });
    if (isFailure) this.#failure = found;
    return !isFailure;
  }

  report(found: Pick<DoctorReport, 'models' | 'firstTokenMs' | 'baseUrl'>): DoctorReport {
    for (const probe of PROBES) {
      if (!this.#reports.has(probe)) this.#set({ probe, state: 'skipped', failure: null, tookMs: null });
    }
    const probes = PROBES.flatMap((probe) => this.#reports.get(probe) ?? []);
    return { state: this.#failure?.code ?? 'ready', failure: this.#failure, probes, ...found };
  }

  #set(report: ProbeReport): void {
    this.#reports.set(report.probe, report);
    this.onProbe(report);
  }
}
