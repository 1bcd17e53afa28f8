import type { Capabilities, ReattachWay } from '../core/capabilities';
import { askWindow } from './context/ask-window';
import { answeringListing } from './probes/answer-probe';
import { assumedWay, renderedWay } from './probes/continue-probe';
import { probeCounting } from './probes/counting-probe';
import { canRead, probeList } from './probes/list-probe';
import type { ProbeContext } from './probes/probe-context';
import { openContext, type ContextOptions } from './probes/open-context';
import { lookUpWay } from './probes/reattach-probe';
import { recognise } from './probes/recognise';
import { readJson } from './probes/server-calls';
import { STREAM_HEADER } from './resume/kept-streams';

const EACH_LIMIT_MS = 1_500;

/**
 * What can be told of a server without asking anything of its model: enough for a task to begin with, until the doctor
 * has looked closer. Null when its list of models cannot be read. Rejects with `AbortError` when it is aborted.
 */
export async function recogniseEndpoint(options: ContextOptions): Promise<Capabilities | null> {
  const context = openContext(options);
  const { baseUrl, model } = context.errors;
  const listed = await probeList(context);
  if (!listed.ok || listed.value.models === null) return null;
  const known = await recognise(context, listed.value.list);
  const isLlama = known.server === 'llama.cpp';
  const read = (url: string, body: object | null) => readJson(context, url, body, EACH_LIMIT_MS);
  const { models, list } = listed.value;
  const listing = answeringListing(models, list, context.errors);
  const told = listing?.contextTokens ?? known.contextTokens;
  const [window, continuing, reattaching, counted] = await Promise.all([
    told === null ? askWindow({ baseUrl, model, readJson: read }) : null,
    isLlama ? renderedWay(context, EACH_LIMIT_MS) : assumedWay(known),
    isLlama ? namedStreams(context) : null,
    probeCounting(context, known.server, EACH_LIMIT_MS),
  ]);
  return {
    atMs: options.clock.now(),
    server: known.server,
    version: known.version,
    contextTokens: told ?? window?.contextTokens ?? null,
    slots: known.slots ?? window?.slots ?? null,
    streaming: null,
    continuing,
    reattaching,
    schema: null,
    tools: null,
    ...counted,
    streamsPerConnection: null,
    lanes: [],
  };
}

/** A proxy may let this page send fewer headers than the server does: every question would be refused for its name. */
async function namedStreams(context: ProbeContext): Promise<ReattachWay | null> {
  const id = crypto.randomUUID();
  const way = await lookUpWay(context, id, EACH_LIMIT_MS);
  const mayName = way !== null && (await canRead(context, `${context.errors.baseUrl}/models`, { [STREAM_HEADER]: id }));
  return mayName ? way : null;
}
