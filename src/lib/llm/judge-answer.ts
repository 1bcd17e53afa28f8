import type { Failure } from '../core/failure';
import type { AnswerRead } from './answer-reader';
import type { ClockCode } from './clocks';
import type { RequestLimits } from './request-limits';
import { made, mapAnswer, mapBreak, mapStreamError, type ErrorContext } from './map-error';

/** What is wrong with how an answer ended; null when it ended with a finish reason. */
export function judgeEnding(read: AnswerRead, expired: Failure | null, context: ErrorContext): Failure | null {
  const { ending } = read;
  switch (ending.how) {
    case 'finished':
      return null;
    case 'broken':
      return expired ?? mapBreak(ending.error, context);
    case 'error':
      return mapStreamError(ending.value, context);
    case 'not_an_answer':
      return mapAnswer({ status: 200, headers: null, bodyText: ending.bodyText }, context);
    case 'malformed':
      return made(context, 'stream_malformed', `cannot be read: ${ending.sample.slice(0, 100)}`);
    case 'unfit':
      return made(context, 'stream_cut', `does not go on with what had come: ${ending.why}`);
    case 'ended':
      return ending.sawDone && read.text === ''
        ? made(context, 'empty_response', 'the stream ended without any text')
        : made(context, 'stream_cut', 'the stream ended without a finish reason');
  }
}

/** Of a model's words for why it does not answer. */
const MAX_REFUSAL = 300;

/** What is wrong with the text of an answer that ended well. */
export function judgeText(read: AnswerRead, context: ErrorContext): Failure | null {
  if (read.finishReason === 'content_filter') return made(context, 'content_refused', 'finish reason content_filter');
  if (read.text !== '' || read.calls !== null) return null;
  if (read.refusal.trim() !== '') return made(context, 'content_refused', read.refusal.trim().slice(0, MAX_REFUSAL));
  return read.finishReason === 'length'
    ? made(context, 'output_truncated', 'the output limit was reached before any visible text')
    : made(context, 'empty_response', 'a finish reason without any visible text');
}

export function judgeClock(code: ClockCode | null, limits: RequestLimits, context: ErrorContext): Failure | null {
  switch (code) {
    case null:
      return null;
    case 'connect_timeout':
      return made(context, code, 'no response headers in time', { limitMs: limits.connectMs });
    case 'first_token_timeout':
      return made(context, code, 'no first token in time', { limitMs: limits.firstTokenMs });
    case 'idle_timeout':
      return made(context, code, 'no further token in time', { limitMs: limits.idleMs });
    case 'request_timeout':
      return made(context, code, 'not finished in time', { limitMs: limits.wholeMs });
    case 'sleep_interrupted':
      return made(context, code, 'no sign of life after the machine slept');
  }
}
