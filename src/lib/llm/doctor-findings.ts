import type { Capabilities } from '../core/capabilities';
import type { ProbeName } from '../core/doctor';
import type { FailureDetails } from '../core/failure';
import { askWindow } from './context/ask-window';
import type { Examination } from './examination';
import { probeBuffering } from './probes/buffering-probe';
import { probeContinue } from './probes/continue-probe';
import { probeCounting } from './probes/counting-probe';
import { probeParallel } from './probes/parallel-probe';
import { lacking, passed, skipped, type Outcome, type ProbeContext } from './probes/probe-context';
import { probeReattach } from './probes/reattach-probe';
import { recognise } from './probes/recognise';
import { probeSchema } from './probes/schema-probe';
import { readJson } from './probes/server-calls';
import { HTTP1_CONNECTIONS, HTTP2_STREAMS, laneCandidates } from './throughput/lane-candidates';
import { probeTools } from './probes/tools-probe';

interface FindingsOptions {
  readonly context: ProbeContext;
  readonly exam: Examination;
  /** The answer to `/models`, as JSON. */
  readonly list: unknown;
  readonly listedTokens: number | null;
  readonly firstTokenMs: number;
  readonly isBusy: boolean;
  /** What an earlier examination found: it stands where this one cannot tell, being short of time or beside a task. */
  readonly before: Capabilities | null;
  /** When the examination has to be over, by the monotonic clock. */
  readonly endMs: number;
}

const EACH_LIMIT_MS = 2_500;
const LEAST_MS = 300;
const WINDOW_LIMIT_MS = 1_500;
/** Less than that, and most files have to be split. */
const SMALL_TOKENS = 8_192;

/** What a server that answers can do, one question after the other. Nothing of it can fail the examination. */
export async function findCapabilities(options: FindingsOptions): Promise<Capabilities> {
  const { context, exam, endMs } = options;
  const { clock, errors } = context;
  const leftMs = () => Math.min(EACH_LIMIT_MS, endMs - clock.monotonicMs());
  /** Runs a probe while there is time; null when there is none, or nothing could be told. */
  async function look<T>(
    probe: ProbeName,
    work: (limitMs: number) => Promise<T | null>,
    say: (value: T) => Outcome,
  ): Promise<T | null> {
    const seen: { value: T | null } = { value: null };
    await exam.run(probe, async () => {
      const limitMs = leftMs();
      if (limitMs < LEAST_MS) return skipped('no_time');
      seen.value = await work(limitMs);
      return seen.value === null ? skipped('unclear') : say(seen.value);
    });
    return seen.value;
  }

  const known = await recognise(context, options.list);
  const { server, version } = known;
  const named: FailureDetails = { server, url: errors.baseUrl, model: errors.model };
  const streaming = leftMs() < LEAST_MS ? null : await probeBuffering(context, options.firstTokenMs, leftMs());
  if (streaming === 'buffered') exam.correct('answer', lacking('answer_buffered', named));
  if (streaming === 'whole') exam.correct('answer', lacking('answer_whole', named));

  const before = isSameServer(options.before, known) ? options.before : null;
  let slots = known.slots;
  const contextTokens = await look(
    'context',
    async () => {
      const told = options.listedTokens ?? known.contextTokens;
      if (told !== null) return told;
      const read = (url: string, body: object | null) => readJson(context, url, body, WINDOW_LIMIT_MS);
      const window = await askWindow({ baseUrl: errors.baseUrl, model: errors.model, readJson: read });
      slots ??= window.slots;
      return window.contextTokens;
    },
    (tokens) =>
      tokens < SMALL_TOKENS ? lacking('context_small', { ...named, tokens }) : passed('context_fine', { tokens }),
  );
  if (contextTokens === null) exam.correct('context', lacking('context_unknown', named));
  const schema = await look(
    'schema',
    (limitMs) => probeSchema(context, limitMs),
    (way) =>
      ({
        json_schema: passed('schema_held'),
        json_object: passed('schema_object'),
        prompt: lacking('schema_asked', named),
      })[way],
  );
  const tools = await look(
    'tools',
    (limitMs) => probeTools(context, known, limitMs),
    (way) => passed(way === 'native' ? 'tools_native' : 'tools_text'),
  );
  const continuing = await look(
    'continue',
    (limitMs) => probeContinue(context, known, limitMs),
    (way) => (way === 'none' ? lacking('continue_none', named) : passed('continue_exact')),
  );
  const reattaching = await look(
    'reattach',
    // Others have nothing of the kind.
    (limitMs) =>
      server === 'llama.cpp' ? probeReattach(context, crypto.randomUUID(), limitMs) : Promise.resolve('none' as const),
    (way) => (way === 'none' ? lacking('reattach_none') : passed('reattach_found')),
  );
  const counted = leftMs() < LEAST_MS ? { counting: null } : await probeCounting(context, server, leftMs());
  let streams = before?.streamsPerConnection ?? null;
  if (options.isBusy) {
    await exam.run('parallel', () => skipped('parallel_busy'));
    slots ??= before?.slots ?? null;
  } else {
    // Of answers that come whole at the end, nobody can tell whether they were written side by side.
    const isTelling = streaming !== 'buffered' && streaming !== 'whole';
    const seen = await look(
      'parallel',
      async (limitMs) =>
        (isTelling ? await probeParallel(context, slots, limitMs) : null) ??
        (slots === null ? null : { count: slots, isAll: false, isShared: false }),
      ({ count, isAll, isShared }) => {
        const atOnce = slots === null ? count : Math.max(slots, count);
        const isHeldBack = isAll && !isShared && atOnce >= HTTP1_CONNECTIONS - 1 && !hasMoreAddresses(context);
        if (isHeldBack) return lacking('parallel_connections', { ...named, count: atOnce });
        return passed(isAll && slots === null ? 'parallel_least' : 'parallel_count', { count: atOnce });
      },
    );
    if (seen && !seen.isAll) slots ??= seen.count;
    if (!seen) slots ??= before?.slots ?? null;
    else streams = seen.isShared ? HTTP2_STREAMS : null;
  }
  return {
    atMs: clock.now(),
    server,
    version,
    contextTokens,
    slots,
    streaming: streaming ?? before?.streaming ?? null,
    continuing: orNull(continuing ?? before?.continuing),
    reattaching: orNull(reattaching ?? before?.reattaching),
    schema: schema ?? before?.schema ?? null,
    tools: tools ?? before?.tools ?? null,
    ...counted,
    streamsPerConnection: streams,
    lanes: [],
  };
}

function orNull<T>(way: T | 'none' | null | undefined): T | null {
  return way === 'none' || way == null ? null : way;
}

function isSameServer(before: Capabilities | null, { server, version }: Pick<Capabilities, 'server' | 'version'>) {
  return before !== null && before.server === server && (version === null || before.version === version);
}

/** Over HTTP/1.1 a browser then has as many connections as it needs: lanes. */
function hasMoreAddresses({ errors, settings }: ProbeContext): boolean {
  if (settings.moreUrls.length > 0) return true;
  return (
    errors.key === null && Object.keys(settings.headers).length === 0 && laneCandidates(errors.baseUrl, 1).length > 0
  );
}
