import type { FailureCode } from '../../../core/failure-codes';
import { contextCommand } from '../../failure-commands';
import { detail, secondsDetail, type FailureText } from '../../failure-text';

const RETRIED = 'Everything finished so far is saved. Only this request is asked again.';
const SLOW =
  'If it stays so, lower the number of requests at once or use a smaller model, then retry the failed files.';

/** Clocks that ran out, and answers that are no answers. */
export const answerFailures = {
  connect_timeout: {
    what: (d) => `The server did not begin to answer${within(secondsDetail(d, 'limitMs'))}.`,
    safe: () => RETRIED,
    next: () => `It is tried again. ${SLOW}`,
  },
  first_token_timeout: {
    what: (d) => `The server took the request but did not write a first word${within(secondsDetail(d, 'limitMs'))}.`,
    safe: () => RETRIED,
    next: () => `It is tried again; a long text takes long to read. ${SLOW}`,
  },
  idle_timeout: {
    what: (d) => `The answer stopped in the middle: nothing came${within(secondsDetail(d, 'limitMs'))}.`,
    safe: () => `${RETRIED} Half an answer is never kept as a whole one.`,
    next: () => `Nothing to do at first. ${SLOW}`,
  },
  request_timeout: {
    what: (d) => `The answer was not finished${within(secondsDetail(d, 'limitMs'))}.`,
    safe: () => `${RETRIED} Half an answer is never kept as a whole one.`,
    next: () => `Nothing to do at first. ${SLOW}`,
  },
  sleep_interrupted: {
    what: () => 'The computer was asleep while the model was answering, and the answer did not go on afterwards.',
    safe: () => `${RETRIED} It uses up no try.`,
    next: () => 'Nothing to do. To keep working through the night, let the computer stay awake while it is plugged in.',
  },
  empty_response: {
    what: () => 'The model answered with nothing.',
    safe: () => `${RETRIED} An empty answer never counts as done.`,
    next: () => 'If every try stays empty, the file is listed as failed: try other instructions or another model.',
  },
  tool_loop: {
    what: () => 'The model went round in circles: it called the same thing again and again, and it never worked.',
    safe: () => 'Everything finished so far is saved. Nothing was done that it had not called for.',
    next: () => 'Retry what failed, say it more plainly in the instructions, or use a model that is better with tools.',
  },
  tool_calls_broken: {
    what: () => 'The model’s calls of tools could not be read, twice in a row.',
    safe: () => 'Everything finished so far is saved. A call that is cut or garbled is never carried out.',
    next: () =>
      'Use a model that is better with tools, or set under Endpoints how it is told of them; then retry what failed.',
  },
  tool_turns_spent: {
    what: () => 'The model called tools as often as it may, and came to no answer.',
    safe: () => 'Everything finished so far is saved, with what the calls brought.',
    next: () => 'Ask for less at once in the instructions, or use a larger model; then retry what failed.',
  },
  schema_unmet: {
    what: () => 'The model’s answer did not have the fields in the form asked for, twice.',
    safe: () =>
      'Everything finished so far is saved. The answer is kept for you to read, and never counts as a result.',
    next: () =>
      'Look at the answer with the file. Say more about the fields, ask for fewer at once, or use another model; then retry what failed.',
  },
  output_truncated: {
    what: () => 'The answer was cut at its length limit.',
    safe: () => 'What there is of it is kept for you and marked as cut. It is never reused as a whole answer.',
    next: () =>
      'It is asked again in smaller pieces. If it is still cut, ask for less in the instructions, or use a model that thinks less.',
  },
  context_overflow: {
    what: (d) => {
      const limit = detail(d, 'limitTokens');
      return `The text is longer than the model can read at once${limit === null ? '' : ` (${limit} tokens)`}.`;
    },
    safe: () => 'Nothing is left out: the file is read in smaller pieces, and their results are put together.',
    next: () => 'Nothing to do. A server with a larger context window needs fewer pieces.',
    command: contextCommand,
  },
  input_cut: {
    what: (d) => {
      const kept = detail(d, 'keptTokens');
      return `The server cut its input and said nothing of it${kept === null ? '' : `: it read ${kept} tokens`}.`;
    },
    safe: () =>
      'The answer to the part is not used. The file is read again in smaller pieces that the server reads whole.',
    next: () => 'Nothing to do. A server with a larger context window needs fewer pieces.',
    command: contextCommand,
  },
  max_tokens_too_large: {
    what: () => 'The request left the server too little room: text and answer together exceed its context window.',
    safe: () => 'Nothing is left out: the file is read in smaller pieces, which leave room for their answers.',
    next: () => 'Nothing to do. A server with a larger context window allows longer answers.',
    command: contextCommand,
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

function within(seconds: number | null): string {
  return seconds === null ? ' in time' : ` within ${seconds} s`;
}
