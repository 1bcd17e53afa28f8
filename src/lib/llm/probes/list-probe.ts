import type { ModelListing } from '../../core/doctor';
import type { Failure } from '../../core/failure';
import { fail, ok, type Result } from '../../core/result';
import { ErrorAnswer, RedirectAnswer } from '../answer-errors';
import { made, mapAnswer, mapRefusal } from '../map-error';
import { readModels } from '../models';
import { withLimit } from '../time-limit';
import { rootOf } from '../hosts';
import type { ProbeContext } from './probe-context';

export interface ListProbe {
  readonly models: readonly ModelListing[] | null;
  /** The answer as JSON, which tells who gave it; null when it is none. */
  readonly list: unknown;
  /** What the list was refused with, when it was. */
  readonly refusal: Failure | null;
}

const LIST_LIMIT_MS = 3_000;
const LOOK_LIMIT_MS = 1_500;
const CONTENT_TYPE = 'content-type';

/** Reads the list of models. Fails only when no answer can be read: then reading is what is not allowed. */
export async function probeList(context: ProbeContext): Promise<Result<ListProbe>> {
  const { errors, client, clock, signal } = context;
  try {
    const listed = await withLimit(clock, LIST_LIMIT_MS, signal, async (limited) =>
      readModels(await client.models(limited)),
    );
    if (!listed.ok) return fail(made(errors, 'connect_timeout', 'no list in time', { limitMs: LIST_LIMIT_MS }));
    const { models, bodyText } = listed.value;
    const list = parsed(bodyText);
    const said = models === null && list !== null ? loadingSaid(bodyText, context) : null;
    return ok({ models, list, refusal: said });
  } catch (error) {
    if (error instanceof ErrorAnswer) {
      return ok({ models: null, list: null, refusal: mapRefusal(error, errors) });
    }
    if (error instanceof RedirectAnswer) return fail(mapRefusal(error, errors));
    if (signal.aborted) throw error;
    return unreadable(context);
  }
}

/** Some servers say with 200 that they are not ready. */
function loadingSaid(bodyText: string, { errors }: ProbeContext): Failure | null {
  const failure = mapAnswer({ status: 200, headers: null, bodyText }, errors);
  return failure.code === 'endpoint_loading' ? failure : null;
}

/** The server answers, and the page cannot read it: finds out what exactly is not allowed. */
async function unreadable(context: ProbeContext): Promise<Result<ListProbe>> {
  const { errors } = context;
  const { baseUrl, key } = errors;
  if (key !== null && (await canRead(context, `${baseUrl}/models`, {}))) {
    return fail(corsBlocked(context, 'authorization'));
  }
  const header = await refusedHeader(context, Object.keys(context.settings.headers));
  if (header !== null) return fail(corsBlocked(context, header));
  // vLLM refuses a key before its rules for other origins are reached: the refusal itself cannot be read.
  if (await canRead(context, `${rootOf(baseUrl)}/version`, {})) {
    return ok({ models: null, list: null, refusal: made(errors, 'auth_failed', 'refused without CORS headers') });
  }
  return fail(corsBlocked(context, null));
}

/** The question could not be sent although the list could be read: which header the server does not allow. */
export async function refusedInQuestion(context: ProbeContext): Promise<Failure> {
  const refused = await refusedHeader(context, [CONTENT_TYPE, ...Object.keys(context.settings.headers)]);
  return corsBlocked(context, refused ?? CONTENT_TYPE);
}

async function refusedHeader(context: ProbeContext, names: readonly string[]): Promise<string | null> {
  const url = `${context.errors.baseUrl}/models`;
  if (names.length === 0 || !(await canRead(context, url, {}))) return null;
  const allowed = await Promise.all(
    names.map((name) => canRead(context, url, { [name]: context.settings.headers[name] ?? 'application/json' })),
  );
  return names.find((_, index) => !allowed[index]) ?? null;
}

/** Whether the page may read an answer to a request with these headers. */
export async function canRead(
  context: ProbeContext,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    const read = await withLimit(context.clock, LOOK_LIMIT_MS, context.signal, async (limited) => {
      const options = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' } as const;
      const response = await context.fetch(url, { ...options, headers, redirect: 'manual', signal: limited });
      await response.body?.cancel();
      return response.type !== 'opaqueredirect';
    });
    return read.ok && read.value;
  } catch (error) {
    if (context.signal.aborted) throw error;
    return false;
  }
}

function corsBlocked({ errors, pageUrl }: ProbeContext, header: string | null): Failure {
  return made(errors, 'cors_blocked', 'the server answers, but not to this page', {
    ...(pageUrl === null ? {} : { origin: new URL(pageUrl).origin }),
    ...(header === null ? {} : { header }),
  });
}

function parsed(bodyText: string): unknown {
  try {
    return JSON.parse(bodyText) as unknown;
  } catch {
    return null;
  }
}
