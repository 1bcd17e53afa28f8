import type { FailureDetails } from '../core/failure';
import { corsCommand, type ServerKind } from './failure-commands';
import { detail } from './failure-text';

export type CorsWay = ServerKind | 'nginx';
export const CORS_WAYS: readonly CorsWay[] = ['vllm', 'llama.cpp', 'ollama', 'lm-studio', 'nginx'];

/** Lets this page read a server of that kind. */
export function corsWay(way: CorsWay, details: FailureDetails): string {
  if (way !== 'nginx') return corsCommand({ ...details, server: way });
  const origin = detail(details, 'origin') ?? 'http://localhost:4173';
  const headers = ['authorization', 'content-type', detail(details, 'header')].filter(
    (name, index, all) => name !== null && all.indexOf(name) === index,
  );
  return [
    'location /v1/ {',
    `  add_header Access-Control-Allow-Origin ${origin} always;`,
    `  add_header Access-Control-Allow-Headers "${headers.join(', ')}" always;`,
    '  add_header Access-Control-Allow-Methods "GET, POST, OPTIONS" always;',
    '  if ($request_method = OPTIONS) { return 204; }',
    '  proxy_buffering off;',
    `  proxy_pass ${upstream(details)};`,
    '}',
  ].join('\n');
}

/** Lets a proxy pass on what comes as it comes. */
export function fasterProxyCommand(): string {
  return 'proxy_buffering off;';
}

function upstream(details: FailureDetails): string {
  const url = detail(details, 'url');
  return url !== null && URL.canParse(url)
    ? `http://127.0.0.1:${new URL(url).port || '8000'}`
    : 'http://127.0.0.1:8000';
}
