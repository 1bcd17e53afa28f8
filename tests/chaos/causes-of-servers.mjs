/** What happens to a model server. */

/** @import { Behaviour } from '../support/model-server-types' */
/** @import { Cause } from './causes.mjs' */
/** @import { ChaosEvent } from './chaos-types' */
/** @import { World } from './world.mjs' */

/** A stream that ends early without a word, and one that is torn off. @type {readonly Behaviour[]} */
const CUTS = [
  { type: 'stream', chunks: ['Answer 000000000000', ' about'], finish: null },
  { type: 'raw', bytes: Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Answer'), end: 'reset' },
];

/** @type {readonly Behaviour[]} */
const FAULTS = [
  { type: 'json', status: 500, body: { error: { message: 'CUDA error', type: 'internal_error', code: 500 } } },
  { type: 'json', status: 503, body: { error: { message: 'Service unavailable', type: 'unavailable', code: 503 } } },
  { type: 'html', status: 502, body: '<html><title>502 Bad Gateway</title></html>' },
];

/** @type {Behaviour} */
const TOO_MANY = {
  type: 'json',
  status: 429,
  headers: { 'retry-after': '1' },
  body: { error: { message: 'Too many requests', type: 'rate_limit_error', code: 429 } },
};

/** @satisfies {Record<string, Cause>} */
export const serverCauses = {
  'server down': async (world, event) => {
    const server = serverOf(world, event);
    // Answers that are on their way are lost with the connection.
    tell(world, event);
    await server?.goDown();
    return () => server?.comeUp();
  },
  'server stalled before headers': async (world, event) => serverOf(world, event)?.hold(),
  'server stalled in mid answer': async (world, event) => {
    const server = serverOf(world, event);
    const end = server?.misbehave(() => ({ type: 'stall', after: 'tokens', tokens: 3 }));
    return () => {
      end?.();
      tell(world, event);
      server?.cutAll();
    };
  },
  'answers cut': async (world, event) => {
    let times = 0;
    return serverOf(world, event)?.misbehave(() => CUTS[times++ % CUTS.length] ?? TOO_MANY);
  },
  'answers 5xx': async (world, event) => {
    const fault = FAULTS[Math.floor(event.draw * FAULTS.length)] ?? TOO_MANY;
    return serverOf(world, event)?.misbehave(() => fault);
  },
  'answers 429': async (world, event) => serverOf(world, event)?.misbehave(() => TOO_MANY),
};

/** @param {World} world @param {ChaosEvent} event */
function serverOf({ servers }, { server }) {
  return servers[server % servers.length];
}

/** What its tasks have under way is ended. @param {World} world @param {ChaosEvent} event */
function tell({ tasks, servers, interrupted }, { server }) {
  for (const task of tasks) if (task.server % servers.length === server % servers.length) interrupted(task);
}
