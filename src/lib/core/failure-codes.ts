/**
 * The one table of failure codes. A code is stable for ever: it is stored in rows, shown to people, named by a page
 * in docs/errors and translated in both languages. A test holds the four together.
 *
 * verdict: what the engine does with it.
 *   retry  try again with backoff, counted against the step's attempts
 *   wait   park or hold until the cause is gone; spends no attempt (`park` names the pause; null holds in place)
 *   adapt  change the request (smaller parts, more output tokens), then run again
 *   skip   final for this file unless it changes
 *   ask    pause the task for the person
 *   fail   final for this step; "retry failed" runs it again
 */
export type FailureKind = 'timeout' | 'context' | 'tool' | 'infrastructure' | 'input' | 'user';
export type Verdict = 'retry' | 'wait' | 'adapt' | 'skip' | 'ask' | 'fail';
export type ParkReason = 'network' | 'endpoint' | 'permission' | 'storage' | 'approval' | 'attention';

export interface FailureDefinition {
  readonly kind: FailureKind;
  readonly verdict: Verdict;
  readonly park?: ParkReason;
}

export const FAILURES = {
  // the endpoint
  endpoint_unreachable: { kind: 'infrastructure', verdict: 'wait', park: 'endpoint' },
  endpoint_loading: { kind: 'infrastructure', verdict: 'wait', park: 'endpoint' },
  endpoint_redirected: { kind: 'infrastructure', verdict: 'wait', park: 'endpoint' },
  cors_blocked: { kind: 'infrastructure', verdict: 'wait', park: 'endpoint' },
  mixed_content: { kind: 'infrastructure', verdict: 'wait', park: 'endpoint' },
  local_network_denied: { kind: 'infrastructure', verdict: 'wait', park: 'endpoint' },
  auth_failed: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  key_unavailable: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  model_not_found: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  wrong_base_url: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  login_page: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  quota_exhausted: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  endpoint_missing: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  url_invalid: { kind: 'user', verdict: 'wait', park: 'endpoint' },
  network_offline: { kind: 'infrastructure', verdict: 'wait', park: 'network' },
  rate_limited: { kind: 'infrastructure', verdict: 'wait' },
  rate_reached: { kind: 'infrastructure', verdict: 'wait' },
  server_busy: { kind: 'infrastructure', verdict: 'retry' },
  server_fault: { kind: 'infrastructure', verdict: 'retry' },
  stream_cut: { kind: 'infrastructure', verdict: 'retry' },
  stream_malformed: { kind: 'infrastructure', verdict: 'retry' },
  request_rejected: { kind: 'input', verdict: 'fail' },
  content_refused: { kind: 'input', verdict: 'fail' },
  // clocks
  connect_timeout: { kind: 'timeout', verdict: 'retry' },
  first_token_timeout: { kind: 'timeout', verdict: 'retry' },
  idle_timeout: { kind: 'timeout', verdict: 'retry' },
  request_timeout: { kind: 'timeout', verdict: 'retry' },
  sleep_interrupted: { kind: 'timeout', verdict: 'wait' },
  // answers
  empty_response: { kind: 'tool', verdict: 'retry' },
  tool_loop: { kind: 'tool', verdict: 'fail' },
  tool_calls_broken: { kind: 'tool', verdict: 'fail' },
  tool_turns_spent: { kind: 'tool', verdict: 'fail' },
  schema_unmet: { kind: 'tool', verdict: 'fail' },
  output_truncated: { kind: 'context', verdict: 'fail' },
  context_overflow: { kind: 'context', verdict: 'adapt' },
  input_cut: { kind: 'context', verdict: 'adapt' },
  max_tokens_too_large: { kind: 'context', verdict: 'adapt' },
  // files
  file_empty: { kind: 'input', verdict: 'skip' },
  file_binary: { kind: 'input', verdict: 'skip' },
  file_kind_unsupported: { kind: 'input', verdict: 'skip' },
  file_too_large: { kind: 'input', verdict: 'skip' },
  file_gone: { kind: 'input', verdict: 'skip' },
  file_encoding_unknown: { kind: 'input', verdict: 'skip' },
  file_unreadable: { kind: 'input', verdict: 'fail' },
  file_changing: { kind: 'input', verdict: 'retry' },
  file_timeout: { kind: 'timeout', verdict: 'retry' },
  // the folder
  folder_permission: { kind: 'user', verdict: 'wait', park: 'permission' },
  folder_missing: { kind: 'user', verdict: 'wait', park: 'permission' },
  folder_not_given: { kind: 'user', verdict: 'wait', park: 'permission' },
  folder_timeout: { kind: 'timeout', verdict: 'wait', park: 'permission' },
  folder_empty: { kind: 'input', verdict: 'ask', park: 'attention' },
  folder_write_failed: { kind: 'infrastructure', verdict: 'fail' },
  effect_conflict: { kind: 'tool', verdict: 'fail' },
  effect_in_doubt: { kind: 'user', verdict: 'ask', park: 'approval' },
  path_refused: { kind: 'input', verdict: 'fail' },
  // storage
  storage_full: { kind: 'infrastructure', verdict: 'wait', park: 'storage' },
  storage_closed: { kind: 'infrastructure', verdict: 'wait', park: 'storage' },
  storage_unavailable: { kind: 'infrastructure', verdict: 'wait', park: 'storage' },
  storage_blocked: { kind: 'infrastructure', verdict: 'wait', park: 'storage' },
  row_unreadable: { kind: 'infrastructure', verdict: 'fail' },
  row_from_newer_version: { kind: 'infrastructure', verdict: 'fail' },
  import_unreadable: { kind: 'input', verdict: 'fail' },
  import_from_newer_version: { kind: 'input', verdict: 'fail' },
  import_task_exists: { kind: 'input', verdict: 'fail' },
  fenced: { kind: 'infrastructure', verdict: 'fail' },
  task_missing: { kind: 'user', verdict: 'fail' },
  checkpoint_missing: { kind: 'user', verdict: 'fail' },
  // the task
  crashes_app: { kind: 'input', verdict: 'fail' },
  crashes_server: { kind: 'input', verdict: 'fail' },
  deadline_reached: { kind: 'user', verdict: 'ask', park: 'attention' },
  too_many_failures: { kind: 'tool', verdict: 'ask', park: 'attention' },
  nothing_to_report: { kind: 'input', verdict: 'fail' },
  report_failed: { kind: 'tool', verdict: 'fail' },
  worker_stopped: { kind: 'infrastructure', verdict: 'retry' },
  insecure_context: { kind: 'user', verdict: 'fail' },
  unexpected: { kind: 'tool', verdict: 'fail' },
} as const satisfies Record<string, FailureDefinition>;

export type FailureCode = keyof typeof FAILURES;

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

export function isFailureCode(value: string): value is FailureCode {
  return Object.hasOwn(FAILURES, value);
}
