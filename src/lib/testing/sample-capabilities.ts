import type { Capabilities } from '../core/capabilities';

/** A server that was recognised, and of which nothing else could be found out. */
export const NOTHING_FOUND: Capabilities = {
  atMs: 1,
  server: 'vllm',
  version: null,
  contextTokens: null,
  slots: null,
  streaming: null,
  continuing: null,
  reattaching: null,
  schema: null,
  tools: null,
  counting: null,
  streamsPerConnection: null,
  lanes: [],
};
