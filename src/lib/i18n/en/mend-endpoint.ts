import type { FailureDetails } from '../../core/failure';
import type { FailureCode } from '../../core/failure-codes';
import { detail, isKeyless } from '../failure-text';
import { look, letPageIn, modelLine } from './failures/endpoint';

const SLOW = () =>
  'Test again. If it stays so, look at the server: it may have too much to do, or the model may be too large for it.';

/** What to do, said beside the fields of the endpoint where no task waits; elsewhere failures say what is next. */
export const mendEndpoint: Readonly<Partial<Record<FailureCode, (details: FailureDetails) => string>>> = {
  endpoint_unreachable: (d) =>
    detail(d, 'url')?.includes('//localhost')
      ? `Start the server. If it is running, write 127.0.0.1 instead of localhost in the address.${look(d)}`
      : `Start the server, or correct the address above.${look(d)}`,
  endpoint_loading: () => 'Nothing to do. Loading can take some minutes; test again then.',
  endpoint_redirected: () => 'Enter the final address above, if you trust it. Redirects are not followed on purpose.',
  cors_blocked: (d) => `${letPageIn(d)} Then test again.`,
  local_network_denied: () =>
    'Click the icon left of the address bar, allow access to the local network, then test again. A copy of Talaria opened from localhost needs no such permission.',
  auth_failed: (d) => `Enter ${isKeyless(d) ? 'its' : 'the right'} key above, then test again.`,
  key_unavailable: () => 'Enter the key again above.',
  model_not_found: (d) => `Choose one of the models it offers, or load this one on the server.${modelLine(d)}`,
  wrong_base_url: (d) => {
    const suggestion = detail(d, 'suggestion');
    return suggestion === null
      ? 'Correct the address above. Most servers want /v1 at its end, as in http://127.0.0.1:8000/v1.'
      : `Correct the address above. ${suggestion} is worth a try.`;
  },
  login_page: () =>
    'Sign in there in another tab, or enter an address that reaches the server directly. Then test again.',
  quota_exhausted: () => 'Add credit at the server, or use another one.',
  network_offline: () => 'Test again when the network is back.',
  server_busy: () => 'Wait a moment, then test again.',
  server_fault: () => 'Its own log says why. Mend it there, then test again.',
  stream_malformed: () => 'Update the server, or look at the proxy before it. Then test again.',
  request_rejected: () => 'The details say what the server did not like. Mend it there, then test again.',
  connect_timeout: SLOW,
  first_token_timeout: SLOW,
  idle_timeout: SLOW,
  request_timeout: SLOW,
  tool_loop: () => 'Test again. If it stays so, set another way to tell this model of tools, or try another model.',
  tool_calls_broken: () =>
    'Test again. If it stays so, set another way to tell this model of tools, or try another model.',
  tool_turns_spent: () =>
    'Test again. If it stays so, set another way to tell this model of tools, or try another model.',
  schema_unmet: () => 'Test again. If it stays so, ask this model for text, or try another model.',
  empty_response: () => 'Test again. If the answer stays empty, try another model.',
};
