import type { ModelListing } from '../core/doctor';
import type { AnswerShape } from '../core/endpoint-settings';
import type { Failure } from '../core/failure';
import type { Clock } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { ErrorAnswer, RedirectAnswer } from './answer-errors';
import { readAnswer } from './answer-reader';
import { askModel } from './ask-model';
import { watchRequest } from './clocks';
import { isLoopbackUrl, reachOf } from './hosts';
import { judgeClock, judgeEnding } from './judge-answer';
import type { PermissionQuery } from './local-network';
import { made, mapRefusal, type ErrorContext } from './map-error';
import { readModels } from './models';
import type { EndpointClient } from './openai-client';
import { RequestDialect } from './request-dialect';
import { withLimit } from './time-limit';

export interface ProbeContext {
  readonly errors: ErrorContext;
  readonly client: EndpointClient;
  /** What the person set that shapes answers. @default nothing */
  readonly shape?: AnswerShape;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly permission: PermissionQuery;
  /** Address of this page; null where there is none, as in tests. */
  readonly pageUrl: string | null;
  readonly signal: AbortSignal;
}

const REACH_LIMIT_MS = 3_000;
const LIST_LIMIT_MS = 3_000;

/** Whether anything answers there at all, without asking to read it. */
export async function probeReach(context: ProbeContext, limitMs = REACH_LIMIT_MS): Promise<Result<void>> {
  const { errors, clock, signal } = context;
  if (await isNetworkRefused(context)) return fail(made(errors, 'local_network_denied', 'the permission is denied'));
  try {
    const reached = await withLimit(clock, limitMs, signal, (limited) =>
      context.fetch(`${errors.baseUrl}/models`, {
        mode: 'no-cors',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: limited,
      }),
    );
    if (reached.ok) return ok();
    return fail((await refusedByBrowser(context)) ?? made(errors, 'connect_timeout', 'no answer', { limitMs }));
  } catch (error) {
    return fail((await refusedByBrowser(context)) ?? mapRefusal(error, errors));
  }
}

/** Mixed content and the local network look like any failed request: only the addresses and the permission tell. */
async function refusedByBrowser(context: ProbeContext): Promise<Failure | null> {
  const { errors, pageUrl } = context;
  if (await isNetworkRefused(context, true)) {
    return made(errors, 'local_network_denied', 'the permission was not given');
  }
  const isMixed = pageUrl?.startsWith('https:') && errors.baseUrl.startsWith('http:') && !isLoopbackUrl(errors.baseUrl);
  return isMixed ? made(errors, 'mixed_content', 'an https page cannot ask a plain http server') : null;
}

async function isNetworkRefused({ errors, pageUrl, permission }: ProbeContext, afterwards = false): Promise<boolean> {
  const reach = reachOf(errors.baseUrl);
  if (pageUrl === null || reach === 'public' || reachOf(pageUrl) === 'loopback') return false;
  const state = await permission(reach === 'loopback' ? 'loopback-network' : 'local-network');
  // The request itself raises the question: still open afterwards means that it was not answered with yes.
  return state === 'denied' || (afterwards && state === 'prompt');
}

export interface ListProbe {
  readonly models: readonly ModelListing[] | null;
  /** What the list was refused with, when it was. */
  readonly refusal: Failure | null;
}

/** Reads the list of models. Fails only when no answer can be read: then reading is what is not allowed. */
export async function probeList(context: ProbeContext): Promise<Result<ListProbe>> {
  const { errors, client, clock, signal } = context;
  try {
    const listed = await withLimit(clock, LIST_LIMIT_MS, signal, async (limited) =>
      readModels(await client.models(limited)),
    );
    if (listed.ok) return ok({ models: listed.value.models, refusal: null });
    return fail(made(errors, 'connect_timeout', 'no list in time', { limitMs: LIST_LIMIT_MS }));
  } catch (error) {
    if (error instanceof ErrorAnswer) return ok({ models: null, refusal: mapRefusal(error, errors) });
    return fail(error instanceof RedirectAnswer ? mapRefusal(error, errors) : corsBlocked(context));
  }
}

export function corsBlocked({ errors, pageUrl }: ProbeContext): Failure {
  return made(errors, 'cors_blocked', 'the server answers, but not to this page', {
    ...(pageUrl === null ? {} : { origin: new URL(pageUrl).origin }),
  });
}

/** `model_not_found` unless the list has it. A name without a tag means the latest, as Ollama writes it. */
export function findModel(models: readonly ModelListing[], wanted: string, errors: ErrorContext): Failure | null {
  const names = models.map(({ id }) => id);
  if (names.includes(wanted) || names.includes(`${wanted}:latest`)) return null;
  return made(errors, 'model_not_found', 'not in the list of models', { available: names.slice(0, 20).join(', ') });
}

/** Asks for one token. Resolves to the time until it came, or until the answer ended without one. */
export async function probeAnswer(context: ProbeContext, limitMs: number): Promise<Result<number>> {
  const { errors, client, clock, signal, shape } = context;
  const each = { connectMs: limitMs, firstTokenMs: limitMs, idleMs: limitMs, wholeMs: limitMs, wakeMs: limitMs };
  const clocks = { ...each, graceMs: 300, readingMargin: 0, wakeReadingMs: 0 };
  const words = [{ role: 'user' as const, content: 'Say OK.' }];
  const question = { messages: words, temperature: 0, maxTokens: 1, ...(shape ? { shape } : {}) };
  const startedMs = clock.monotonicMs();
  const watch = watchRequest(clock, clocks, signal);
  const seen: { firstTokenMs: number | null } = { firstTokenMs: null };
  try {
    const response = await askModel(client, new RequestDialect(), errors.model, question, watch.signal);
    watch.headersSeen();
    const onToken = () => {
      seen.firstTokenMs ??= clock.monotonicMs() - startedMs;
      watch.finishSeen(clocks.graceMs);
    };
    const read = await readAnswer(response, {
      watch,
      graceMs: clocks.graceMs,
      maxCharacters: Infinity,
      onToken,
      onPrefill: () => undefined,
      onText: undefined,
    });
    if (seen.firstTokenMs !== null) return ok(seen.firstTokenMs);
    const wrong = judgeEnding(read, judgeClock(watch.expired, clocks, errors), errors);
    return wrong ? fail(wrong) : ok(clock.monotonicMs() - startedMs);
  } catch (error) {
    if (watch.expired !== null) return fail(made(errors, 'first_token_timeout', 'no first token', { limitMs }));
    return fail(mapRefusal(error, errors));
  } finally {
    watch.stop();
  }
}
