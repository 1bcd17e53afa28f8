import { failure, type Failure, type FailureDetails } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import { ErrorAnswer, RedirectAnswer } from './answer-errors';
import { overflowTold } from './context/overflow-told';
import { readErrorBody, type ErrorBody } from './error-body';
import { hostOf, isLoopbackUrl, localhostHint } from './hosts';
import { retryAfterMs } from './retry-after';
import { scrubSecrets } from './scrub';
import * as wordings from './server-wordings';

/** What is known about the request that went wrong. The key is here only to be removed from texts. */
export interface ErrorContext {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  /** Wall clock, for dates in `Retry-After`. */
  readonly nowMs: number;
  readonly online: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers | null;
  readonly bodyText: string;
}

/** The failure of what a request raised before its answer began. The only place that judges messages of servers. */
export function mapRefusal(error: unknown, context: ErrorContext): Failure {
  if (error instanceof ErrorAnswer) return mapAnswer(error, context);
  if (error instanceof RedirectAnswer) {
    return made(context, 'endpoint_redirected', 'redirects are not followed', {
      ...(error.location === null ? {} : { target: withoutQuery(error.location, context.baseUrl) }),
    });
  }
  const message = error instanceof Error ? causeOf(error) : String(error);
  if (!context.online && !isLoopbackUrl(context.baseUrl)) return made(context, 'network_offline', message);
  return made(context, 'endpoint_unreachable', message, localhostHint(context.baseUrl));
}

/** The failure of a stream that broke. */
export function mapBreak(error: unknown, context: ErrorContext): Failure {
  return made(context, 'stream_cut', error instanceof Error ? causeOf(error) : String(error));
}

/** The failure that an answer other than the one asked for means: any status, any form of body, 2xx included. */
export function mapAnswer(answer: Answer, context: ErrorContext): Failure {
  const bodyText = scrubSecrets(answer.bodyText, context.key);
  return mapBody(readErrorBody(bodyText), { ...answer, bodyText }, context);
}

/** The failure of an error object inside a stream that began well. */
export function mapStreamError(value: unknown, context: ErrorContext): Failure {
  const bodyText = typeof value === 'string' ? JSON.stringify({ error: value }) : JSON.stringify(value);
  return mapAnswer({ status: 200, headers: null, bodyText }, context);
}

/** True when the server refuses a parameter of the request by name: as a word, not as a piece of another. */
export function refusesParameter(error: unknown, name: string): boolean {
  if (!(error instanceof ErrorAnswer) || (error.status !== 400 && error.status !== 422)) return false;
  const { param } = readErrorBody(error.bodyText);
  const isNamed = param === name || new RegExp(`(?<![a-z0-9_])${name}(?![a-z0-9_])`, 'i').test(error.bodyText);
  return isNamed && wordings.UNKNOWN_PARAMETER.test(error.bodyText.toLowerCase());
}

function mapBody(body: ErrorBody, answer: Answer, context: ErrorContext): Failure {
  const status = answer.status >= 400 ? answer.status : (body.status ?? answer.status);
  const words = `${body.kind} ${body.message}`.toLowerCase();
  const overflow = overflowOf(body, status);
  const waitMs = retryAfterMs(
    { headers: answer.headers, waitSeconds: body.waitSeconds, bodyText: answer.bodyText },
    context.nowMs,
  );
  const code = overflow?.code ?? codeOf(body, words, status, waitMs !== undefined);
  const details = {
    ...(status >= 400 ? { status } : {}),
    ...overflow?.details,
    ...(code === 'wrong_base_url' ? suggestion(context.baseUrl) : {}),
    ...(code === 'rate_limited' && waitMs !== undefined ? { waitMs } : {}),
  };
  const message = body.message || `HTTP status ${status}, no text`;
  const mayWait = code === 'rate_limited' || code === 'server_busy' || code === 'endpoint_loading';
  return made(context, code, message, details, mayWait ? waitMs : undefined);
}

function codeOf(body: ErrorBody, words: string, status: number, saysWhen: boolean): FailureCode {
  if (status === 511) return 'login_page';
  if (body.form === 'html') return codeOfPage(status);
  if (wordings.REFUSED_CONTENT.test(words) && status !== 401 && status !== 429) return 'content_refused';
  if (status === 402 || (wordings.QUOTA.test(words) && !saysWhen)) return 'quota_exhausted';
  if (status === 429 || wordings.RATE.test(words)) {
    return wordings.QUOTA_OR_RATE.test(words) && !saysWhen ? 'quota_exhausted' : 'rate_limited';
  }
  if (wordings.LOAD_FAILED.test(words) || wordings.CRASHED.test(words)) return 'server_fault';
  if (wordings.LOADING.test(words)) return 'endpoint_loading';
  if (status !== 401 && status < 500 && isModelMissing(body, words, status)) return 'model_not_found';
  if (wordings.WRONG_ENDPOINT.test(words)) return 'wrong_base_url';
  if (status === 401 || status === 403 || status === 407 || wordings.BAD_KEY.test(words)) return 'auth_failed';
  if (wordings.BUSY.test(words)) return 'server_busy';
  return codeOfStatus(status);
}

function codeOfStatus(status: number): FailureCode {
  // 501: nobody answers questions here, but another kind of server does what it is for.
  if (status === 404 || status === 405 || status === 501) return 'wrong_base_url';
  if (status === 503 || status === 529) return 'server_busy';
  if (status === 408 || status === 425) return 'server_busy';
  if (status >= 500 || status === 424) return 'server_fault';
  if (status === 413) return 'context_overflow';
  if (status >= 400) return 'request_rejected';
  return 'server_fault';
}

function codeOfPage(status: number): FailureCode {
  if (status === 401 || status === 403 || status === 407) return 'auth_failed';
  if (status === 429) return 'rate_limited';
  return status < 400 ? 'login_page' : codeOfStatus(status);
}

function isModelMissing(body: ErrorBody, words: string, status: number): boolean {
  return wordings.MODEL_MISSING.test(words) || (status === 404 && body.param === 'model');
}

/** The codes of overflows, with the numbers that the server gave. */
function overflowOf(body: ErrorBody, status: number): { code: FailureCode; details: FailureDetails } | null {
  const told = overflowTold(body, status);
  if (told === null) return null;
  const details = {
    ...(told.used === null ? {} : { usedTokens: told.used }),
    ...(told.limit === null ? {} : { limitTokens: told.limit }),
  };
  return { code: told.kind === 'output' ? 'max_tokens_too_large' : 'context_overflow', details };
}

function suggestion(baseUrl: string): FailureDetails {
  return /\/v\d+[a-z]*$/.test(baseUrl) ? {} : { suggestion: `${baseUrl.replace(/\/+$/, '')}/v1` };
}

function withoutQuery(location: string, baseUrl: string): string {
  return URL.canParse(location, baseUrl) ? hostOf(new URL(location, baseUrl)) : '';
}

/** `fetch` says little; what lies beneath says more where there is anything. */
function causeOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message}: ${cause.message}` : error.message;
}

/** Every failure of an endpoint is made here, so that none ever holds the key. */
export function made(
  context: Pick<ErrorContext, 'baseUrl' | 'model' | 'key'>,
  code: FailureCode,
  message: string,
  details: FailureDetails = {},
  retryAfterMs?: number,
): Failure {
  const keyless = code === 'auth_failed' && context.key === null ? { sent: 'no key' } : {};
  const scrubbed = Object.entries({ url: context.baseUrl, model: context.model, ...keyless, ...details }).map(
    ([name, value]) => [name, typeof value === 'string' ? scrubSecrets(value, context.key) : value] as const,
  );
  return failure(code, {
    message: scrubSecrets(message, context.key),
    details: Object.fromEntries(scrubbed),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
