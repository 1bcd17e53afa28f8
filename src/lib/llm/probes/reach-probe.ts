import type { Failure } from '../../core/failure';
import { fail, ok, type Result } from '../../core/result';
import { permissionFor, reachOf } from '../../core/reach';
import { isLoopbackUrl } from '../hosts';
import { isThere, knock } from '../knock';
import { made, mapRefusal } from '../map-error';
import { withLimit } from '../time-limit';
import { failed, passed, type Outcome, type ProbeContext } from './probe-context';

const REACH_LIMIT_MS = 3_000;
const OTHER_LIMIT_MS = 1_000;
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Whether the browser lets this page ask such an address at all. */
export async function probeSecure(context: ProbeContext): Promise<Outcome> {
  const { errors, pageUrl } = context;
  const isMixed = pageUrl?.startsWith('https:') === true && errors.baseUrl.startsWith('http:');
  if (!isMixed || isLoopbackUrl(errors.baseUrl)) return passed('secure_fine');
  // A browser with a permission for the local network lets such a page ask there, once it is given.
  if (reachOf(errors.baseUrl) === 'local' && (await permissionState(context)) !== null) return passed('secure_fine');
  return failed(made(errors, 'mixed_content', 'an https page cannot ask a plain http server'));
}

/** What the browser says of this site's way to this device or to the local network. */
export async function probePermission(context: ProbeContext): Promise<Outcome> {
  const { errors } = context;
  const state = await permissionState(context);
  if (state === 'denied') return failed(made(errors, 'local_network_denied', 'the permission is denied'));
  if (state === 'prompt') return passed('permission_asked');
  return passed(state === 'granted' ? 'permission_given' : 'permission_unneeded');
}

/** Whether anything answers there at all, without asking to read it. */
export async function probeReach(context: ProbeContext, limitMs = REACH_LIMIT_MS): Promise<Result<void>> {
  const { errors, clock, signal } = context;
  try {
    const reached = await withLimit(clock, limitMs, signal, (limited) => knock(context, errors.baseUrl, limited));
    if (reached.ok) return ok();
    return fail((await refusedByBrowser(context)) ?? made(errors, 'connect_timeout', 'no answer', { limitMs }));
  } catch (error) {
    return fail((await refusedByBrowser(context)) ?? mapRefusal(error, errors));
  }
}

/** The other names of this machine: `localhost` may lead to ::1 while the server listens on 127.0.0.1 only. Null: none answers. */
export async function otherLoopbackUrl(context: ProbeContext): Promise<string | null> {
  const { baseUrl } = context.errors;
  if (!isLoopbackUrl(baseUrl)) return null;
  const { hostname } = new URL(baseUrl);
  const others = LOOPBACK_NAMES.filter((name) => name !== hostname).map((name) =>
    baseUrl.replace(`//${hostname}`, `//${name}`),
  );
  const answered = await Promise.all(others.map((url) => isThere(context, url, OTHER_LIMIT_MS)));
  return others.find((_, index) => answered[index]) ?? null;
}

/** The local network looks like any failed request: only the permission tells. */
async function refusedByBrowser(context: ProbeContext): Promise<Failure | null> {
  const state = await permissionState(context);
  // The request itself raised the question: still open afterwards means that it was not answered with yes.
  return state === 'denied' || state === 'prompt'
    ? made(context.errors, 'local_network_denied', 'the permission was not given')
    : null;
}

async function permissionState({ errors, pageUrl, permission }: ProbeContext): Promise<PermissionState | null> {
  const needed = pageUrl === null ? null : permissionFor(errors.baseUrl, pageUrl);
  return needed === null ? null : permission(needed);
}
