import type { FailureDetails } from '../core/failure';
import { corsCommand, letInCommand, type ServerKind } from './failure-commands';
import { detail } from './failure-text';

export type CorsWay = ServerKind | 'nginx';
export const CORS_WAYS: readonly CorsWay[] = ['vllm', 'llama.cpp', 'ollama', 'lm-studio', 'nginx'];

/** Lets this page read a server of that kind. */
export function corsWay(way: CorsWay, details: FailureDetails): string {
  if (way === 'vllm') return letInCommand({ ...details, server: way });
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

/** Lines to copy, and the program that they are for. */
export interface NamedCommand {
  readonly program: string;
  readonly command: string;
}

/** Proxies that speak HTTP/2 to the browser and pass on what comes as it comes. */
export function http2Proxies(details: FailureDetails): readonly NamedCommand[] {
  const to = upstream(details);
  return [
    {
      program: 'Caddy',
      command: ['models.example.org {', `\treverse_proxy ${to} {`, '\t\tflush_interval -1', '\t}', '}'].join('\n'),
    },
    {
      program: 'nginx',
      command: [
        'server {',
        '  listen 443 ssl;',
        '  http2 on;',
        '  server_name models.example.org;',
        '  ssl_certificate /etc/ssl/models.example.org.crt;',
        '  ssl_certificate_key /etc/ssl/models.example.org.key;',
        '  location / {',
        `    proxy_pass ${to};`,
        '    proxy_http_version 1.1;',
        '    proxy_buffering off;',
        '    proxy_read_timeout 3600s;',
        '  }',
        '}',
      ].join('\n'),
    },
  ];
}

function upstream(details: FailureDetails): string {
  const url = detail(details, 'url');
  return url !== null && URL.canParse(url)
    ? `http://127.0.0.1:${new URL(url).port || '8000'}`
    : 'http://127.0.0.1:8000';
}
