import type { FailureDetails } from '../../../core/failure';
import type { FailureCode } from '../../../core/failure-codes';
import { letInCommand, modelCommand, serverKind, startCommand } from '../../failure-commands';
import { detail, isKeyless, secondsDetail, type FailureText } from '../../failure-text';

const PAUSED = 'Everything finished so far is saved. The task waits, and no file fails because of it.';
const AGAIN = 'It goes on by itself as soon as the server answers.';
const RETRIED = 'Everything finished so far is saved. Only this request is asked again.';

export const endpointFailures = {
  endpoint_unreachable: {
    what: (d) => `Nothing answers at ${detail(d, 'url') ?? 'the address of the model server'}.`,
    safe: () => PAUSED,
    next: (d) =>
      detail(d, 'url')?.includes('//localhost')
        ? `Start the server. If it is running, write 127.0.0.1 instead of localhost in its address. ${AGAIN}${look(d)}`
        : `Start the server, or correct its address under Endpoints. ${AGAIN}${look(d)}`,
    command: startCommand,
  },
  endpoint_loading: {
    what: () => 'The server is there and still loads its model.',
    safe: () => PAUSED,
    next: () => 'Nothing to do. Loading can take some minutes; the task goes on by itself afterwards.',
  },
  endpoint_redirected: {
    what: (d) => `The server sent the request on to ${detail(d, 'target') ?? 'another address'}.`,
    safe: () => `${PAUSED} Your key went to no other host than the one you typed.`,
    next: () => 'Enter the final address under Endpoints, if you trust it. Redirects are not followed on purpose.',
  },
  cors_blocked: {
    what: (d) =>
      `The server${at(detail(d, 'url'))} is running, but it does not let this page ${detail(d, 'header') !== null ? `send the header “${detail(d, 'header')}”` : 'read its answers'} (its CORS setting).`,
    safe: () => PAUSED,
    next: (d) => `${letPageIn(d)} ${AGAIN}`,
    command: letInCommand,
  },
  mixed_content: {
    what: () =>
      'This page came over https, and browsers do not let such a page ask a plain http server on another machine.',
    safe: () => PAUSED,
    next: () =>
      'Run Talaria on your own machine and open http://localhost:4173, or give the model server an https address.',
    command: () => 'npm start',
  },
  local_network_denied: {
    what: () => 'The browser has not allowed this site to reach programs on this device or in your local network.',
    safe: () => PAUSED,
    next: () =>
      'Click the icon left of the address, allow access to the local network, then press Continue. A copy of Talaria opened from localhost needs no such permission.',
  },
  auth_failed: {
    what: (d) => (isKeyless(d) ? 'The server asks for a key, and none is given.' : 'The server refused the key.'),
    safe: () => PAUSED,
    next: (d) =>
      `Enter ${isKeyless(d) ? 'its' : 'the right'} key under Endpoints and test it. The task goes on by itself when the key is accepted.`,
  },
  key_unavailable: {
    what: () =>
      'The key of this endpoint is not at hand: it was kept for one session only, or this browser cannot decrypt it any more.',
    safe: () => PAUSED,
    next: () => 'Enter the key again under Endpoints; the task then goes on.',
  },
  model_not_found: {
    what: (d) => `The server has no model named ${detail(d, 'model') ?? 'as in this endpoint'}.`,
    safe: () => PAUSED,
    next: (d) => `Choose one of the models it offers under Endpoints, or load this one on the server.${modelLine(d)}`,
    command: modelCommand,
  },
  wrong_base_url: {
    what: (d) => `There is a server${at(detail(d, 'url'))}, but no chat API at that address.`,
    safe: () => PAUSED,
    next: (d) =>
      `Correct the address under Endpoints. ${detail(d, 'suggestion') ?? 'Most servers'} ${detail(d, 'suggestion') ? 'is worth a try.' : 'want /v1 at its end, as in http://127.0.0.1:8000/v1.'}`,
  },
  login_page: {
    what: () => 'A web page came back instead of an answer: a sign-in page or a proxy stands before the server.',
    safe: () => PAUSED,
    next: () =>
      'Sign in there in another tab, or enter an address that reaches the server directly. Then press Continue.',
  },
  quota_exhausted: {
    what: () => 'The account at this server has no credit or quota left.',
    safe: () => PAUSED,
    next: () =>
      'Add credit, or start a task with another endpoint. This one goes on when the server accepts requests again.',
  },
  endpoint_missing: {
    what: () => 'The endpoint that this task used has been removed.',
    safe: () => PAUSED,
    next: () =>
      'Choose another endpoint for it on its page. What is finished stays as it is, and the rest is asked of the new one.',
  },
  url_invalid: {
    what: (d) => `${detail(d, 'url') ?? 'The address'} cannot be used as the address of a server.`,
    safe: () => PAUSED,
    next: () => 'Write it like http://127.0.0.1:8000/v1, without a key, a question mark or a # in it.',
  },
  network_offline: {
    what: () => 'This device is offline.',
    safe: () => PAUSED,
    next: () => 'Nothing to do. The task goes on by itself when the network is back.',
  },
  rate_limited: {
    what: (d) => {
      const seconds = secondsDetail(d, 'waitMs');
      return `The server asks for a break${seconds === null ? '' : ` of ${seconds} s`} between requests.`;
    },
    safe: () => 'Everything finished so far is saved, and waiting uses up no attempt.',
    next: () => 'Nothing to do. If it happens often, lower the number of requests at once.',
  },
  rate_reached: {
    what: () => 'The limit of requests or tokens a minute that is set for this endpoint is reached.',
    safe: () => 'Everything finished so far is saved, and waiting uses up no attempt.',
    next: () =>
      'Nothing to do: the next request goes out as soon as the limit lets it. The limit is set with the endpoint.',
  },
  server_busy: {
    what: () => 'The server has more requests than it can take.',
    safe: () => RETRIED,
    next: () =>
      'Nothing to do at first. If it goes on, lower the number of requests at once and retry the failed files.',
  },
  server_fault: {
    what: (d) => `The server failed while answering${status(detail(d, 'status'))}.`,
    safe: () => RETRIED,
    next: () => 'If it keeps failing, its own log says why. Mend it there, then retry the failed files.',
  },
  stream_cut: {
    what: () => 'The connection broke in the middle of an answer.',
    safe: () => `${RETRIED} Half an answer is never kept as a whole one.`,
    next: () =>
      'Nothing to do at first. If it happens again and again, a proxy or the server ends long answers: look there.',
  },
  stream_malformed: {
    what: () => 'The server sent an answer that cannot be read.',
    safe: () => `${RETRIED} Nothing unreadable is kept as a result.`,
    next: () =>
      'If it keeps happening, update the server, or look at the proxy before it. Then retry the failed files.',
  },
  request_rejected: {
    what: (d) => {
      const task = detail(d, 'task');
      if (task !== null) return `This endpoint is in use by the unfinished task "${task}".`;
      return `The server refused this request as invalid${status(detail(d, 'status'))}.`;
    },
    safe: (d) =>
      detail(d, 'task') === null
        ? 'Everything finished so far is saved. Only this file is affected.'
        : 'Nothing was changed.',
    next: (d) =>
      detail(d, 'task') === null
        ? 'The details say what the server did not like. Mend it on the server, then retry the failed files.'
        : 'Finish, cancel or delete that task first.',
  },
  content_refused: {
    what: () => "The server's content filter stopped the answer.",
    safe: () => 'Everything finished so far is saved. Only this file is affected.',
    next: () => 'Read the file yourself, or have it done by a model without that filter.',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

/** What to change at a server that does not let this page read its answers. */
export function letPageIn(details: FailureDetails): string {
  if (detail(details, 'header') !== null) {
    return 'Let the server, or the proxy before it, allow this header to pages. One of your own can be taken out of “Extra headers” instead.';
  }
  switch (serverKind(details)) {
    case 'ollama':
      return `Start Ollama with OLLAMA_ORIGINS set to this page's address, as below.`;
    case 'lm-studio':
      return `In LM Studio, open Developer → Server settings and turn on "Enable CORS", or start it as below.`;
    case 'llama.cpp':
      return `llama-server lets every page in unless told otherwise: look at its --cors-origins flag or at the proxy before it.`;
    case 'vllm':
    case null:
      return `vLLM: start it with --allowed-origins, as below. Ollama: set OLLAMA_ORIGINS. LM Studio: turn on "Enable CORS". llama-server is open by default.`;
  }
}

/** What the line to copy is for where it starts nothing: the server is not known. */
export function look(details: FailureDetails): string {
  return serverKind(details) === null ? ' The line below shows whether anything answers there.' : '';
}

/** What the line to copy does about a model that is not there. */
export function modelLine(details: FailureDetails): string {
  return serverKind(details) === 'ollama' ? ' The line below fetches it.' : ' The line below lists what it offers.';
}

function at(url: string | null): string {
  return url === null ? '' : ` at ${url}`;
}

function status(code: string | null): string {
  return code === null ? '' : ` (HTTP ${code})`;
}
