import { repairBaseUrl } from '../core/base-url';
import type { Capabilities } from '../core/capabilities';
import type { DoctorReport, ModelListing, ProbeReport } from '../core/doctor';
import type { Failure } from '../core/failure';
import type { Result } from '../core/result';
import { throwIfAborted } from './abort';
import { findCapabilities } from './doctor-findings';
import { Examination } from './examination';
import { isSendableKey } from './key-form';
import { made } from './map-error';
import { answeringListing, findModel, probeAnswer } from './probes/answer-probe';
import { waitWhileLoading } from './probes/loading-probe';
import { probeList, refusedInQuestion, type ListProbe } from './probes/list-probe';
import { openContext, type ContextOptions } from './probes/open-context';
import { failed, passed, skipped, type ProbeContext } from './probes/probe-context';
import { otherLoopbackUrl, probePermission, probeReach, probeSecure } from './probes/reach-probe';
import { onlyModel } from './probes/recognise';

export interface DoctorOptions extends ContextOptions {
  /** Called when a probe starts, when there is something to wait for, and when it is over. */
  readonly onProbe: (probe: ProbeReport) => void;
  /** Why the key that goes with the endpoint is not at hand. @default it is, or there is none */
  readonly keyFailure?: Failure | null;
  /** A task is using the endpoint: nothing is asked of it that would make the task wait. @default false */
  readonly isBusy?: boolean;
  /** What was found of this address and this model before. @default nothing */
  readonly before?: Capabilities | null;
}

/** The whole examination of a server that answers; a reader waits no longer than that. */
const WHOLE_LIMIT_MS = 9_500;
const RECHECK_LIMIT_MS = 1_000;
const LONGEST_ANSWER_MS = 5_000;

/**
 * Finds out why an endpoint cannot be used, cheapest question first, and stops at the first answer; of one that can be,
 * what it can do. Takes at most some 10 s, but waits for a model that is being loaded. It has no more than one request
 * to the model out at a time, but for the last probe. Rejects with `AbortError` when it is aborted.
 */
export async function testEndpoint(options: DoctorOptions): Promise<DoctorReport> {
  const { clock, signal } = options;
  const exam = new Examination(clock, signal, options.onProbe);
  const found = {
    models: [] as readonly ModelListing[],
    firstTokenMs: null as number | null,
    baseUrl: options.baseUrl.trim(),
    capabilities: null as Capabilities | null,
    otherUrl: null as string | null,
  };
  const report = () => exam.report(found);
  throwIfAborted(signal);

  const isUsable = await exam.run('url', () => {
    const repaired = repairBaseUrl(options.baseUrl);
    if (!repaired.ok) return failed(repaired.failure);
    found.baseUrl = repaired.value.url;
    return passed(repaired.value.url === options.baseUrl.trim() ? 'url_fine' : 'url_repaired', {
      url: repaired.value.url,
    });
  });
  if (!isUsable) return report();
  const context = openContext({ ...options, baseUrl: found.baseUrl });
  const { errors } = context;

  if (!(await exam.run('secure', () => probeSecure(context)))) return report();
  if (!(await exam.run('permission', () => probePermission(context)))) return report();
  const isThere = await exam.run('reachable', async () => {
    const reached = await probeReach(context);
    if (reached.ok) return passed('reached');
    found.otherUrl = reached.failure.code === 'local_network_denied' ? null : await otherLoopbackUrl(context);
    return failed(reached.failure);
  });
  if (!isThere) return report();

  let listed: ListProbe = { models: null, list: null, refusal: null };
  const isReadable = await exam.run('cors', async () => {
    const read = await probeList(context);
    if (!read.ok) return failed(read.failure);
    listed = read.value;
    return passed('readable');
  });
  if (!isReadable) return report();
  const startedMs = clock.monotonicMs();
  let waitedMs = 0;
  const isLoaded = await exam.run('loading', async (tell) => {
    const loaded = await waitWhileLoading(context, listed, () => tell('loading_waited'));
    waitedMs = clock.monotonicMs() - startedMs;
    if (!loaded.ok) return failed(loaded.failure);
    listed = loaded.value;
    return passed('loaded');
  });
  if (!isLoaded) return report();
  found.models = listed.models ?? [];
  const isLetIn = await exam.run('key', () => {
    const { refusal } = listed;
    if (options.keyFailure) return failed(options.keyFailure);
    if (!isSendableKey(options.key)) {
      return failed(made(errors, 'auth_failed', 'the key holds characters that cannot be sent'));
    }
    if (refusal?.code === 'auth_failed') return failed(refusal);
    return passed(options.key === null ? 'key_none' : 'key_taken');
  });
  if (!isLetIn) return report();
  const isServed = await exam.run('model', () => {
    if (found.models.length === 0) return skipped('model_unlisted');
    const missing = findModel(found.models, errors);
    const only = missing && onlyModel(found.models, listed.list);
    if (only) return passed('model_only', { model: only.id });
    return missing ? failed(missing) : passed('model_listed', { model: errors.model });
  });
  if (!isServed) return report();

  const endMs = exam.startedMs + WHOLE_LIMIT_MS + waitedMs;
  const answers = await exam.run('answer', async () => {
    const leftMs = endMs - RECHECK_LIMIT_MS - clock.monotonicMs();
    const answered = await probeAnswer(context, Math.min(LONGEST_ANSWER_MS, Math.max(RECHECK_LIMIT_MS, leftMs)));
    if (!answered.ok) {
      const why = await whyUnanswered(context, answered);
      // Many a list is open to everybody: only the question needed the key.
      if (why.code === 'auth_failed') exam.correct('key', failed(why));
      return failed(why);
    }
    found.firstTokenMs = answered.value;
    return passed('answer_streams');
  });
  if (!answers) return report();
  const listing = answeringListing(found.models, listed.list, errors);
  found.capabilities = await findCapabilities({
    context,
    exam,
    list: listed.list,
    listedTokens: listing?.contextTokens ?? null,
    firstTokenMs: found.firstTokenMs ?? 0,
    isBusy: options.isBusy ?? false,
    before: options.before ?? null,
    endMs,
  });
  return report();
}

/** The list needs no preflight, a question does: a server that is still there refused only that. */
async function whyUnanswered(context: ProbeContext, answered: { readonly failure: Failure }): Promise<Failure> {
  if (answered.failure.code !== 'endpoint_unreachable' || context.pageUrl === null) return answered.failure;
  const isThere: Result<void> = await probeReach(context, RECHECK_LIMIT_MS);
  return isThere.ok ? refusedInQuestion(context) : answered.failure;
}
